extension View {
    /// Asks by a dialog as long as a flag is set. Its buttons clear the flag.
    public func confirmationDialog<Actions: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(titleKey),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented
        ) {
            actions()
        }
    }

    /// Asks by a dialog, with a message as long as a flag is set. Its buttons clear the flag.
    public func confirmationDialog<Actions: View, Message: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(titleKey),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented
        ) {
            actions()
        } message: {
            message()
        }
    }

    /// Asks by a dialog about data as long as a flag is set and there is data. Its buttons clear the flag.
    public func confirmationDialog<Data, Actions: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(titleKey),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        }
    }

    /// Asks by a dialog about data, with a message as long as a flag is set and there is data. Its buttons clear the flag.
    public func confirmationDialog<Data, Actions: View, Message: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(titleKey),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        } message: {
            data.map(message)
        }
    }

    /// Asks by a dialog as long as a flag is set. Its buttons clear the flag.
    @_disfavoredOverload
    public func confirmationDialog<Title: StringProtocol, Actions: View>(
        _ title: Title, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(title),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented
        ) {
            actions()
        }
    }

    /// Asks by a dialog, with a message as long as a flag is set. Its buttons clear the flag.
    @_disfavoredOverload
    public func confirmationDialog<Title: StringProtocol, Actions: View, Message: View>(
        _ title: Title, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(title),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented
        ) {
            actions()
        } message: {
            message()
        }
    }

    /// Asks by a dialog about data as long as a flag is set and there is data. Its buttons clear the flag.
    @_disfavoredOverload
    public func confirmationDialog<Title: StringProtocol, Data, Actions: View>(
        _ title: Title, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(title),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        }
    }

    /// Asks by a dialog about data, with a message as long as a flag is set and there is data. Its buttons clear the flag.
    @_disfavoredOverload
    public func confirmationDialog<Title: StringProtocol, Data, Actions: View, Message: View>(
        _ title: Title, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: Text(title),
            attributes: [.titleVisibility: .text(titleVisibility.rawValue)], isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        } message: {
            data.map(message)
        }
    }

    /// Asks by a dialog as long as a flag is set. Its buttons clear the flag.
    public func confirmationDialog<Actions: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> Actions
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: title, attributes: [.titleVisibility: .text(titleVisibility.rawValue)],
            isPresented: isPresented
        ) {
            actions()
        }
    }

    /// Asks by a dialog, with a message as long as a flag is set. Its buttons clear the flag.
    public func confirmationDialog<Actions: View, Message: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: title, attributes: [.titleVisibility: .text(titleVisibility.rawValue)],
            isPresented: isPresented
        ) {
            actions()
        } message: {
            message()
        }
    }

    /// Asks by a dialog about data as long as a flag is set and there is data. Its buttons clear the flag.
    public func confirmationDialog<Data, Actions: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: title, attributes: [.titleVisibility: .text(titleVisibility.rawValue)],
            isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        }
    }

    /// Asks by a dialog about data, with a message as long as a flag is set and there is data. Its buttons clear the flag.
    public func confirmationDialog<Data, Actions: View, Message: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: Data?,
        @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
    ) -> some View {
        DialogView(
            self, "ConfirmationDialog", title: title, attributes: [.titleVisibility: .text(titleVisibility.rawValue)],
            isPresented: isPresented.and(data != nil)
        ) {
            data.map(actions)
        } message: {
            data.map(message)
        }
    }
}
