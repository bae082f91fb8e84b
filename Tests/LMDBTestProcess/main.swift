// The second process of LMDB's tests: it does one action to the store at a path, and says in one line how that went.

import Glibc
import LMDB

let arguments = CommandLine.arguments
guard arguments.count >= 3, let action = Action(rawValue: arguments[1]) else {
    print("usage: LMDBTestProcess ACTION PATH [NUMBER]")
    exit(64)
}
do {
    try action.run(arguments[2], number: arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0)
} catch let error as LMDBError {
    print(error.kind)
} catch {
    print(error)
}
