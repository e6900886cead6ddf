import SurfStore
import SurfThreads
import SwiftRexStyle
import Testing

@Suite struct BindingTests {
  private struct Form: Equatable, Sendable {
    var title = ""
    var address = Address()
    struct Address: Equatable, Sendable { var city = "Riga" }
  }
  private enum Edit: Sendable {
    case title(String)
    case address(Form.Address)
  }

  private func store(_ seen: Monitor<[String]>) -> Store<Edit, Form> {
    let reducer = Reducer<Edit, Form> { edit, form in
      var form = form
      switch edit {
      case .title(let title): form.title = title
      case .address(let address): form.address = address
      }
      seen.withLock { $0.append("\(edit)") }
      return form
    }
    return Store(initial: Form(), reducer: reducer)
  }

  @Test func `a binding reads the state, and writes by an action`() {
    let seen = Monitor<[String]>([])
    let store = store(seen)
    let title = store.binding(get: \.title, send: Edit.title)
    let before = title.wrappedValue
    title.wrappedValue = "milk"
    let actions = seen.withLock { $0 }
    #expect(before == "" && title.wrappedValue == "milk" && store.state.title == "milk")
    #expect(actions == ["title(\"milk\")"])
  }

  @Test func `what a binding sets comes from the line that made it`() {
    let store = store(Monitor([]))
    let sources = Monitor<[String]>([])
    let observation = store.observe { step in
      sources.withLock { $0.append(step.source.description) }
    }
    let title = store.binding(get: \.title, send: Edit.title)
    title.wrappedValue = "milk"
    let city = store.binding(get: \.address, send: Edit.address).city
    city.wrappedValue = "Oslo"
    observation.cancel()
    let line = #line
    let file = "SwiftRexStyleTests/BindingTests.swift"
    #expect(sources.withLock { $0 } == ["\(file):\(line - 5)", "\(file):\(line - 3)"])
  }

  @Test func `a part of a bound value sets the whole`() {
    let store = store(Monitor([]))
    let city = store.binding(get: \.address, send: Edit.address).city
    city.wrappedValue = "Oslo"
    let address = Form.Address(city: "Oslo")
    #expect(store.state.address == address && city.wrappedValue == "Oslo")
  }

  @Test func `a property with a binding hands it on by its dollar name`() {
    struct Field {
      @Binding var text: String
      func type(_ typed: String) { text += typed }
    }
    let store = store(Monitor([]))
    let field = Field(text: store.binding(get: \.title, send: Edit.title))
    field.type("a")
    field.type("b")
    let title = "ab"
    #expect(store.state.title == title && field.$text.wrappedValue == title)
  }

  @Test func `a model of a view is bound as its store is`() {
    let store = store(Monitor([]))
    let model = store.asObservableViewModel(initialState: Form())
    let title = model.binding(get: \.title, send: Edit.title)
    title.wrappedValue = "milk"
    let expected = "milk"
    #expect(model.state.title == expected && title.wrappedValue == expected)
  }
}
