// What models are made of comes with the library. Not all of Foundation: its own `#Predicate`, which takes the type
// checker seconds for a few terms, stays out of files that import Loam alone.

@_exported public import struct Foundation.Calendar
@_exported public import struct Foundation.Data
@_exported public import struct Foundation.Date
@_exported public import struct Foundation.DateComponents
@_exported public import struct Foundation.DateInterval
@_exported public import struct Foundation.Decimal
@_exported public import struct Foundation.IndexSet
@_exported public import class Foundation.JSONDecoder
@_exported public import class Foundation.JSONEncoder
@_exported public import struct Foundation.Locale
@_exported public import struct Foundation.SortDescriptor
@_exported public import enum Foundation.SortOrder
@_exported public import typealias Foundation.TimeInterval
@_exported public import struct Foundation.TimeZone
@_exported public import struct Foundation.URL
@_exported public import struct Foundation.UUID
