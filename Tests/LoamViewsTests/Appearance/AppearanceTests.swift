import LoamViews
import Testing

@Observable @MainActor private final class Look {
    var isLarge = false
    var other = 0
}

private struct Looking: View {
    let look: Look

    var body: some View {
        let _ = look.other
        Text("a").font(look.isLarge ? .title : .body)
        Text("b").padding(4)
        VStack { Text("c") }.padding(4)
    }
}

@Suite("Appearance") @MainActor
struct AppearanceTests {
    @Test("is in attributes, of which the inner counts") func attributes() {
        let host = ViewHost {
            Group {
                Text("a").font(.title)
                Text("b")
            }
            .font(.footnote)
            .foregroundStyle(.secondary)
            VStack { Text("c") }
                .padding().padding(.horizontal, 10)
                .frame(maxWidth: .infinity, alignment: .leading)
                .background(.blue).clipShape(.rect(cornerRadius: 4))
                .listStyle(.plain).buttonStyle(.bordered).textFieldStyle(.roundedBorder)
                .labelsHidden().tint(.red).opacity(0.5).lineLimit(2).multilineTextAlignment(.center)
                .accessibilityLabel("see")
            Circle().stroke(.green, lineWidth: 2)
            RoundedRectangle(cornerRadius: 3, style: .circular).strokeBorder(.red)
            Color(red: 1, green: 0.5, blue: -1)
            Text("d").overlay(alignment: .top) { Image("x") }
        }
        #expect(
            host.outline == """
                Text "a" font="title" foregroundStyle="secondary"
                Text "b" font="footnote" foregroundStyle="secondary"
                VStack accessibilityLabel="see" alignment="leading" background="blue" buttonStyle="bordered" \
                clipShape="RoundedRectangle 4.0" labelsHidden=true lineLimit=2 listStyle="plain" maxWidth=inf \
                multilineTextAlignment="center" opacity=0.5 padding="all, horizontal 10.0" \
                textFieldStyle="roundedBorder" tint="red"
                  Text "c"
                Circle lineWidth=2.0 stroke="green"
                RoundedRectangle cornerRadius=3.0 cornerStyle="circular" lineWidth=1.0 stroke="red" strokesInside=true
                Color "#FF8000FF"
                Text "d"
                Overlay alignment="top"
                  Image "x" isSystemImage=false
                """)
    }

    @Test("of letters, keyboards and places is in attributes, too") func moreAttributes() {
        @State var name = ""
        let host = ViewHost {
            TextField("Name", text: $name)
                .keyboardType(.emailAddress).submitLabel(.next).textInputAutocapitalization(.never)
                .autocorrectionDisabled()
            Text("a")
                .textCase(.uppercase).truncationMode(.middle).minimumScaleFactor(0.5).lineSpacing(2).monospaced()
                .monospacedDigit().textCase(nil)
            Image(systemName: "star").resizable().scaledToFit().rotationEffect(.radians(.pi / 2)).scaleEffect(2)
                .accessibilityHidden(true)
            Image("map").aspectRatio(1.5, contentMode: .fill).blur(radius: 3).border(.red, width: 2)
            Color.blue.ignoresSafeArea().zIndex(-1)
            Text("b").offset(y: 4).fixedSize(horizontal: false, vertical: true).layoutPriority(1)
                .ignoresSafeArea(.keyboard, edges: .bottom).fixedSize(horizontal: false, vertical: false)
            List {
                Text("c").badge(3).listRowBackground(.yellow)
                Text("d").badge(0).accessibilityValue("none")
                Text("e").badge(Text("new"))
            }
            .controlSize(.small).preferredColorScheme(.dark)
        }
        #expect(
            host.outline == """
                TextField "" autocorrectionDisabled=true keyboardType="emailAddress" submitLabel="next" \
                textInputAutocapitalization="never" [set submit]
                  Text "Name"
                Text "a" lineSpacing=2.0 minimumScaleFactor=0.5 monospaced=true monospacedDigit=true \
                textCase="uppercase" truncationMode="middle"
                Image "star" accessibilityHidden=true contentMode="fit" isResizable=true isSystemImage=true \
                rotation=90.0 scale=2.0
                Image "map" aspectRatio=1.5 blur=3.0 border="red" borderWidth=2.0 contentMode="fill" isSystemImage=false
                Color "blue" ignoresSafeArea="all" zIndex=-1.0
                Text "b" fixedSize="vertical" ignoresSafeArea="bottom keyboard" layoutPriority=1.0 offsetX=0.0 \
                offsetY=4.0
                List colorScheme="dark" controlSize="small"
                  Text "c" badge="3" listRowBackground="yellow"
                  Text "d" accessibilityValue="none"
                  Text "e" badge="new"
                """)
    }

    @Test("has colours by their hues") func hues() {
        let host = ViewHost {
            Color(hue: 0, saturation: 1, brightness: 1)
            Color(hue: 1 / 3, saturation: 1, brightness: 1)
            Color(hue: 2 / 3, saturation: 0.5, brightness: 1)
            Color(hue: 0.25, saturation: 0, brightness: 0.5)
            Color(hue: .nan, saturation: 1, brightness: 1)
        }
        let names = host.root.children.map(\.nodeValue)
        #expect(
            names.prefix(4) == [.text("#FF0000FF"), .text("#00FF00FF"), .text("#8080FFFF"), .text("#808080FF")]
                && names.count == 5)
    }

    @Test("of shadows, insets, shapes and materials is in attributes, too") func materials() {
        let host = ViewHost {
            Text("a").shadow(color: .black, radius: 2, x: 1, y: -1).lineLimit(2...4).fontDesign(.serif)
            Text("b").shadow(radius: 3).lineLimit(2, reservesSpace: true).background(.ultraThinMaterial)
            Text("c").padding(EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)).lineLimit(...3)
            Image(decorative: "map").imageScale(.large).clipped().foregroundStyle(.tint)
            List {
                Text("d").listRowInsets(EdgeInsets()).contentShape(.rect(cornerRadius: 2)).lineLimit(2...)
                Text("e").background(in: .capsule).listRowInsets(nil)
            }
        }
        #expect(
            host.outline == """
                Text "a" fontDesign="serif" lineLimit=4 minLines=2 shadow=2.0 shadowColor="black" shadowX=1.0 \
                shadowY=-1.0
                Text "b" background="ultraThinMaterial" lineLimit=2 minLines=2 shadow=3.0
                Text "c" lineLimit=3 padding="top 1.0, leading 2.0, bottom 3.0, trailing 4.0"
                Image "map" accessibilityHidden=true foregroundStyle="tint" imageScale="large" isClipped=true \
                isSystemImage=false
                List
                  Text "d" contentShape="RoundedRectangle 2.0" listRowInsets="top 0.0, leading 0.0, bottom 0.0, \
                trailing 0.0" minLines=2
                  Text "e" background="background" clipShape="Capsule"
                """)
    }

    @Test("of coming and going is in attributes, both in one where they are the same") func transitions() {
        let host = ViewHost {
            Text("a").transition(.opacity)
            Text("b").transition(.move(edge: .bottom).combined(with: .opacity))
            Text("c").transition(.slide)
            Text("d").transition(.asymmetric(insertion: .push(from: .leading), removal: .scale(scale: 0.5)))
            Text("e").transition(.offset(x: 4).combined(with: .identity)).animation(.default, value: 1)
            Text("f").transition(.identity)
        }
        #expect(
            host.outline == """
                Text "a" transition="opacity"
                Text "b" transition="move bottom, opacity"
                Text "c" removalTransition="move trailing" transition="move leading"
                Text "d" removalTransition="scale 0.5" transition="move leading, opacity"
                Text "e" transition="offset 4.0 0.0"
                Text "f" transition="identity"
                """)
    }

    @Test("renders what looks different, and nothing else") func counts() {
        let look = Look()
        var changed: [[String]] = []
        let host = ViewHost {
            Looking(look: look)
        } onRender: {
            changed.append($0.changed.flatMap(\.texts))
        }
        changed = []
        look.isLarge = true
        host.settle()
        #expect(changed == [["a"]])
        look.other = 1
        host.settle()
        #expect(changed == [["a"], []])
    }
}
