import Foundation
import Loam

/// What an initializer of these models throws.
struct Refused: Error {}

@Model final class Department {
    var name: String
    var employees: [Employee] = []
    var whole: Department?
    @Relationship(inverse: \Department.whole) var parts: [Department] = []

    init(name: String, parts: [Department] = []) {
        self.parts = parts
        self.name = name
    }
}

@Model final class Employee {
    @Relationship(inverse: \Department.employees) var department: Department
    var courses: [Course] = []
    var name: String
    var age: Int

    init(in department: Department, name: String, courses: [Course] = [], step: () -> Void = {}) {
        self.department = department
        self.courses = courses
        self.age = 1
        step()
        self.name = name
        step()
    }

    init(name: String, department: Department) {
        self.name = name
        age = 2
        self.department = department
    }

    init?(refused department: Department, seen: (Employee) -> Void) {
        self.department = department
        seen(self)
        age = 3
        guard age > 3 else { return nil }
        name = ""
    }

    init(thrown department: Department, seen: (Employee) -> Void) throws {
        self.department = department
        name = "?"
        seen(self)
        if name == "?" { throw Refused() }
        age = 4
    }

    init(thrownLate department: Department) throws {
        self.department = department
        (name, age) = ("?", 7)
        if department.name != "" { throw Refused() }
    }

    /// Sets name and age on a path that is not taken.
    init(unnamed department: Department) {
        self.department = department
        if department.name == "" { (name, age) = ("?", 5) }
    }

    /// Sets the department on a path that is not taken.
    init?(tried name: String, in department: Department, age: Int?, fails: Bool) {
        self.department = department
        self.name = name
        if let age { self.age = age }
        if fails { return nil }
    }

    init(homeless name: String) {
        self.name = name
        self.age = 6
        if name.isEmpty { department = Department(name: "") }
    }
}

@Model final class Course {
    var name: String
    @Relationship(inverse: \Employee.courses) var attendees: [Employee]

    init(_ name: String, attendees: [Employee]) {
        self.attendees = attendees
        self.name = name
    }
}

@Model final class Rack {
    @Relationship(inverse: \Crate.rack) var crates: [Crate] = []

    init() {}
}

@Model final class Crate {
    var rack: Rack?
    var label = ""

    init?(on rack: Rack, label: String) {
        self.rack = rack
        guard !label.isEmpty else { return nil }
        self.label = label
    }
}

@Model final class Part {
    var of: Part?
    @Relationship(inverse: \Part.of) var parts: [Part] = []
    var name: String

    init(_ name: String, of whole: Part?) {
        self.of = whole
        self.name = name
    }

    init(alone name: String) {
        of = self
        self.name = name
    }
}

@ModelActor
actor Hirer {
    func hire(_ name: String) throws {
        let known = try modelContext.fetch(FetchDescriptor<Department>()).first
        let department = known ?? Department(name: "Sales")
        _ = Employee(in: department, name: name)
        modelContext.insert(department)
        try modelContext.save()
    }
}
