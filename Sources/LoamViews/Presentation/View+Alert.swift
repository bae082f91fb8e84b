public import Foundation

extension View {
    /// Shows an alert as long as a flag is set. Its buttons clear the flag.
    public func alert<Actions: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(titleKey), isPresented: isPresented
        ) {
            actions()
        }
    }

    /// Shows an alert, with a message as long as a flag is set. Its buttons clear the flag.
    public func alert<Actions: View, Message: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(titleKey), isPresented: isPresented
        ) {
            actions()
        } message: {
            message()
        }
    }

    /// Shows an alert about data as long as a flag is set and there is data. Its buttons clear the flag.
    public func alert<Data, Actions: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(titleKey), isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        }
    }

    /// Shows an alert about data, with a message as long as a flag is set and there is data. Its buttons clear the flag.
    public func alert<Data, Actions: View, Message: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(titleKey), isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        } message: {
            data.map(message)
        }
    }

    /// Shows an alert as long as a flag is set. Its buttons clear the flag.
    @_disfavoredOverload
    public func alert<Title: StringProtocol, Actions: View>(
        _ title: Title, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(title), isPresented: isPresented
        ) {
            actions()
        }
    }

    /// Shows an alert, with a message as long as a flag is set. Its buttons clear the flag.
    @_disfavoredOverload
    public func alert<Title: StringProtocol, Actions: View, Message: View>(
        _ title: Title, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(title), isPresented: isPresented
        ) {
            actions()
        } message: {
            message()
        }
    }

    /// Shows an alert about data as long as a flag is set and there is data. Its buttons clear the flag.
    @_disfavoredOverload
    public func alert<Title: StringProtocol, Data, Actions: View>(
        _ title: Title, isPresented: Binding<Bool>, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(title), isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        }
    }

    /// Shows an alert about data, with a message as long as a flag is set and there is data. Its buttons clear the flag.
    @_disfavoredOverload
    public func alert<Title: StringProtocol, Data, Actions: View, Message: View>(
        _ title: Title, isPresented: Binding<Bool>, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(title), isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        } message: {
            data.map(message)
        }
    }

    /// Shows an alert as long as a flag is set. Its buttons clear the flag.
    public func alert<Actions: View>(
        _ title: Text, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: title, isPresented: isPresented
        ) {
            actions()
        }
    }

    /// Shows an alert, with a message as long as a flag is set. Its buttons clear the flag.
    public func alert<Actions: View, Message: View>(
        _ title: Text, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: title, isPresented: isPresented
        ) {
            actions()
        } message: {
            message()
        }
    }

    /// Shows an alert about data as long as a flag is set and there is data. Its buttons clear the flag.
    public func alert<Data, Actions: View>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: title, isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        }
    }

    /// Shows an alert about data, with a message as long as a flag is set and there is data. Its buttons clear the flag.
    public func alert<Data, Actions: View, Message: View>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: title, isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        } message: {
            data.map(message)
        }
    }
}

extension View {
    /// Shows an alert with what an error says as long as a flag is set and there is an error. Its buttons clear the flag.
    public func alert<Failure: LocalizedError, Actions: View>(
        isPresented: Binding<Bool>, error: Failure?, @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(verbatim: error?.errorDescription ?? ""),
            isPresented: isPresented.and(error != nil)
        ) {
            actions()
        }
    }

    /// Shows an alert with what an error says, and a message about it, as long as a flag is set and there is an error. Its
    /// buttons clear the flag.
    public func alert<Failure: LocalizedError, Actions: View, Message: View>(
        isPresented: Binding<Bool>, error: Failure?, @ViewBuilder actions: @escaping (Failure) -> Actions,
        @ViewBuilder message: @escaping (Failure) -> Message
    ) -> some View {
        DialogView(
            self, "Alert", title: Text(verbatim: error?.errorDescription ?? ""),
            isPresented: isPresented.and(error != nil)
        ) {
            error.map(actions)
        } message: {
            error.map(message)
        }
    }
}

extension Binding where Value == Bool {
    /// The flag, which counts only where something else holds.
    func and(_ holds: Bool) -> Binding<Bool> {
        holds ? self : Binding(get: { false }, set: { wrappedValue = $0 })
    }
}
