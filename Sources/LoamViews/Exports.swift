// Who imports LoamViews has what code with views is written with: wrappers, models and observable objects.

@_exported public import LoamUI
@_exported public import Observation

@_exported public import protocol Foundation.LocalizedError
