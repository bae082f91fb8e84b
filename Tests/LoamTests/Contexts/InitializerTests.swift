import Foundation
import Testing

@testable import Loam

@Suite("Relationships that an initializer sets")
struct InitializerTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Department.self, Course.self, Part.self)
    }

    private func names() throws -> [String] {
        let context = ModelContext(container)
        let people = try context.fetch(FetchDescriptor<Employee>(sortBy: [SortDescriptor(\.name)]))
        for person in people { #expect(person.department.employees.contains(person)) }
        return people.map(\.name)
    }

    @Test("a required to-one, first or last in the initializer, from either side")
    func required() throws {
        for setsFirst in [true, false] {
            for insertsOwner in [true, false] {
                let context = ModelContext(container)
                let department = Department(name: "Sales")
                let people = ["Ada", "Ben"].map { name in
                    setsFirst ? Employee(in: department, name: name) : Employee(name: name, department: department)
                }
                if insertsOwner { context.insert(department) } else { context.insert(people[1]) }
                #expect(context.insertedModelsArray.count == 3)
                #expect(Set(department.employees.map(\.name)) == ["Ada", "Ben"])
                #expect(people.allSatisfy { $0.department === department && $0.modelContext === context })
                try context.save()
                #expect(try names() == ["Ada", "Ben"])
                try container.erase()
            }
        }
    }

    @Test("nobody else need hold the models that lead to the one that is inserted")
    func unheld() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        for name in ["Ada", "Ben"] { _ = Employee(in: department, name: name) }
        context.insert(department)
        try context.save()
        #expect(try names() == ["Ada", "Ben"])
    }

    @Test("a to-many, a many-to-many and several steps")
    func others() throws {
        let context = ModelContext(container)
        let people = ["Ada", "Ben"].map { Employee(name: $0, department: Department(name: "of \($0)")) }
        let course = Course("Swift", attendees: people)
        let group = Department(name: "Sales", parts: people.map(\.department))
        context.insert(group)
        #expect(context.insertedModelsArray.count == 6)
        #expect(people.allSatisfy { $0.courses.first === course })
        #expect(people.allSatisfy { $0.department.whole === group })
        try context.save()
        #expect(try names() == ["Ada", "Ben"])
        #expect(try ModelContext(container).fetch(FetchDescriptor<Course>()).map { $0.attendees.count } == [2])
    }

    @Test("a chain of three, inserted at either end or in the middle")
    func chain() throws {
        for inserted in 0..<3 {
            let context = ModelContext(container)
            let first = Part("a", of: nil)
            let second = Part("b", of: first)
            let third = Part("c", of: second)
            context.insert([first, second, third][inserted])
            #expect(context.insertedModelsArray.count == 3)
            #expect(first.parts == [second] && second.parts == [third] && third.of === second)
            try context.save()
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Part>()) == 3)
            try container.erase()
        }
    }

    @Test("a model that leads to itself")
    func itself() throws {
        let context = ModelContext(container)
        let part = Part(alone: "a")
        context.insert(part)
        #expect(part.of === part && part.parts == [part])
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<Part>())
        #expect(stored.count == 1 && stored.first?.of === stored.first)
    }

    @Test("to a model of a context: inserted as soon as all that is required is set, without another word")
    func intoContext() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        context.insert(department)
        try context.save()
        var seen: [[Int]] = []
        let watch = { seen.append([department.employees.count, context.insertedModelsArray.count]) }
        let ada = Employee(in: department, name: "Ada", step: watch)
        #expect(seen == [[0, 0], [1, 1]])
        #expect(department.employees == [ada] && ada.modelContext === context)
        _ = Employee(name: "Ben", department: department)
        #expect(department.employees.count == 2)
        try context.save()
        #expect(try names() == ["Ada", "Ben"])
    }

    @Test("an initializer that fails before all is set leaves nothing in the context of what it was related to")
    func failing() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        context.insert(department)
        weak var made: Employee?
        #expect(Employee(refused: department, seen: { made = $0 }) == nil)
        #expect(throws: Refused.self) { try Employee(thrown: department, seen: { made = $0 }) }
        #expect(made == nil)
        #expect(department.employees.isEmpty)
        #expect(context.insertedModelsArray.count == 1)
        try context.save()
        #expect(try names() == [])
    }

    @Test("one that fails after all is set leaves the model in the context, from which it can be deleted")
    func failingLate() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        context.insert(department)
        #expect(throws: Refused.self) { try Employee(thrownLate: department) }
        let left = try #require(department.employees.first)
        #expect(context.insertedModelsArray.count == 2)
        context.delete(left)
        #expect(department.employees.isEmpty)
        try context.save()
        #expect(try names() == [])
    }

    @Test("nor do those whose related model is inserted later")
    func failingOutside() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        #expect(Employee(refused: department, seen: { _ in }) == nil)
        #expect(throws: Refused.self) { try Employee(thrown: department, seen: { _ in }) }
        context.insert(department)
        #expect(context.insertedModelsArray.count == 1 && department.employees.isEmpty)
        try context.save()
        #expect(try names() == [])
    }

    @Test("a model that a branch of its initializer leaves without a value is no zero: a save names it, and what to do")
    func unset() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        let halfMade = Employee(unnamed: department)
        #expect(halfMade.name.isEmpty && halfMade.age == 0)
        context.insert(halfMade)
        #expect(halfMade.name.isEmpty && department.employees == [halfMade])
        let told = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(told?.detail.contains("Employee.name") == true, "\(told?.detail ?? "")")
        #expect(try names() == [])
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        halfMade.name = "Ada"
        halfMade.age = 3
        try context.save()
        #expect(try names() == ["Ada"])
    }

    @Test("a save that a model without a value keeps from going on goes on without it")
    func unsetDeleted() throws {
        let context = ModelContext(container)
        context.insert(Employee(name: "Ada", department: Department(name: "Sales")))
        context.insert(Employee(unnamed: Department(name: "Other")))
        context.insert(Employee(homeless: "Ben"))
        for model in context.insertedModelsArray {
            guard let employee = model as? Employee, employee.name.isEmpty || employee.name == "Ben" else { continue }
            #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
            context.delete(employee)
        }
        try context.save()
        #expect(try names() == ["Ada"])
    }

    @Test("a required to-one without a model is told by the model's and the property's name")
    func unsetReference() throws {
        let context = ModelContext(container)
        context.insert(Employee(homeless: "Ben"))
        let told = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(told?.detail.contains("Employee.department") == true, "\(told?.detail ?? "")")
    }

    @Test("a model that lacks a value waits outside, enters when it is set, and goes where it leads by then")
    func waiting() throws {
        let (context, other) = (ModelContext(container), ModelContext(container))
        let (sales, service) = (Department(name: "Sales"), Department(name: "Service"))
        context.insert(sales)
        other.insert(service)
        let (ada, ben, eve) = (Employee(unnamed: sales), Employee(unnamed: sales), Employee(unnamed: sales))
        #expect(sales.employees.isEmpty && ada.department === sales)
        (ada.age, ada.name) = (1, "Ada")
        #expect(sales.employees == [ada] && ada.modelContext === context)
        ben.name = "Ben"
        ben.department = service
        #expect(ben.modelContext == nil)
        ben.age = 2
        #expect(service.employees == [ben] && ben.modelContext === other)
        eve.department = Department(name: "Free")
        (eve.age, eve.name) = (3, "Eve")
        #expect(eve.modelContext == nil)
        try context.save()
        try other.save()
        #expect(try names() == ["Ada", "Ben"])
    }

    @Test("a model that waits for a context that goes stays outside")
    func contextGoes() throws {
        var context: ModelContext? = ModelContext(container)
        let department = Department(name: "Sales")
        context?.insert(department)
        let ada = Employee(unnamed: department)
        context = nil
        (ada.age, ada.name) = (1, "Ada")
        #expect(ada.modelContext == nil)
        let other = ModelContext(container)
        other.insert(ada)
        try other.save()
        #expect(try names() == ["Ada"])
    }

    @Test("rolled back, both sides are outside any context again")
    func rollback() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        let ada = Employee(in: department, name: "Ada")
        context.insert(department)
        context.rollback()
        #expect(ada.modelContext == nil && department.modelContext == nil && !context.hasChanges)
        try context.save()
        #expect(try names() == [])
        ada.department = department
        context.insert(department)
        try context.save()
        #expect(try names() == ["Ada"])
    }

    @Test("what a model lacks after a rollback may be said by one that leads to it")
    func ledTo() throws {
        let context = ModelContext(container)
        let (department, course) = (Department(name: "Sales"), Course("Swift", attendees: []))
        let ada = Employee(in: department, name: "Ada")
        context.insert(department)
        context.rollback()
        department.employees = [ada]
        ada.courses = [course]
        context.insert(course)
        #expect(ada.department === department && context.insertedModelsArray.count == 3)
        try context.save()
        #expect(try names() == ["Ada"])
    }

    @Test("what is taken away before the insertion stays outside")
    func takenAway() throws {
        let context = ModelContext(container)
        let (sales, service) = (Department(name: "Sales"), Department(name: "Service"))
        weak var ben: Employee?
        do {
            let made = Employee(in: sales, name: "Ben")
            made.department = service
            ben = made
        }
        #expect(ben != nil)
        context.insert(sales)
        #expect(context.insertedModelsArray.count == 1 && sales.employees.isEmpty)
        context.insert(service)
        #expect(service.employees.map(\.name) == ["Ben"])
    }

    @Test("of two contexts, with one the relationship enters and with the other there is an error")
    func twoContexts() throws {
        let (context, other) = (ModelContext(container), ModelContext(container))
        let (sales, course) = (Department(name: "Sales"), Course("Swift", attendees: []))
        context.insert(sales)
        other.insert(course)
        let ada = Employee(in: sales, name: "Ada", courses: [course])
        #expect(ada.modelContext === context)
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        try context.save()
        #expect(try names() == ["Ada"])
    }

    @Test("what fails after it has all its values is stored with what it leads to, and before that is not")
    func failingOutsideWithAllValues() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        #expect(Employee(tried: "Ada", in: department, age: 3, fails: true) == nil)
        #expect(Employee(tried: "Ben", in: department, age: nil, fails: true) == nil)
        context.insert(department)
        try context.save()
        #expect(try names() == ["Ada"])
    }

    @Test("what lacks a value stays outside, unless it is inserted")
    func lacking() throws {
        let context = ModelContext(container)
        let department = Department(name: "Sales")
        context.insert(department)
        let ben = try #require(Employee(tried: "Ben", in: department, age: nil, fails: false))
        try context.save()
        #expect(ben.modelContext == nil && !context.hasChanges)
        context.insert(ben)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error == .modelValidationFailure && error?.detail.contains("age") == true)
        ben.age = 3
        try context.save()
        #expect(try names() == ["Ben"])
    }

    @Test("what requires nothing enters with its first relationship")
    func requiringNothing() throws {
        let container = try memoryContainer(Rack.self)
        let context = ModelContext(container)
        let rack = Rack()
        context.insert(rack)
        #expect(Crate(on: rack, label: "") == nil)
        #expect(context.insertedModelsArray.count == 2 && rack.crates.count == 1)
        for crate in rack.crates { context.delete(crate) }
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Crate>()) == 0)
    }

    @Test("on an actor of its own")
    func actors() async throws {
        let hirer = Hirer(modelContainer: container)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["Ada", "Ben", "Eve"] { group.addTask { try await hirer.hire(name) } }
            try await group.waitForAll()
        }
        #expect(try names() == ["Ada", "Ben", "Eve"])
    }

    @Test("classes of every shape of initializer are stored")
    func shapes() throws {
        let container = try memoryContainer(Workshop.self)
        let context = ModelContext(container)
        let shop = Workshop(name: "Smithy", size: 2)
        #expect(shop.description == "Smithy" && shop.default == 2 && shop.tags == ["a": 1] && shop.visits == 3)
        #expect(shop.title == "SMITHY" && shop.isOpen && shop.length == 7 && shop.level == .high)
        #expect(Workshop(named: "") == nil && Workshop(checked: "") == nil)
        let decoded = try JSONDecoder().decode(Workshop.self, from: Data(#"{"size": 3}"#.utf8))
        #expect(decoded.name == "?" && decoded.size == 3)
        shop.twin = decoded
        _ = Worker(workshop: shop, name: "Ada", helper: Worker(in: decoded))
        context.insert(decoded)
        #expect(context.insertedModelsArray.count == 4)
        #expect(shop.workers.map(\.name) == ["Ada"] && decoded.workers.first?.helped.first?.name == "Ada")
        try context.save()
        context.insert(Worker(alone: "Eve"))
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map(\.name) == ["?", "Ada", "Eve"])
        #expect(stored.last?.workshop.head === stored.last && stored.last?.helper === stored.last)
    }

    @Test("values of types that the macro does not know are set once, and kept")
    func values() throws {
        let gauge = Gauge(2.5 as Float, label: "a", labels: ["x"])
        #expect(gauge.reading.value == 2.5 && gauge.unit == .foot && gauge.labels == ["x"] && gauge.readings.count == 1)
    }
}
