import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

// Every yes-or-no question goes through here.
extension Debugger {
  /// Why there is nothing to ask, in words.
  struct Refusal: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }

  mutating func ask(_ wish: Consent.Wish, _ instance: Instance) {
    do throws(Refusal) {
      overlay = .consent(try consent(to: wish, instance))
      notices = []
    } catch {
      tell(error.text)
    }
  }

  mutating func press(
    _ key: CommandKey, _ consent: Consent, in catalog: Catalog
  ) -> [DebuggerEffect] {
    switch key {
    case "Enter" where consent.wish.isFinal: break
    case "y", "Y", "Enter":
      overlay = nil
      return settle(consent, in: catalog)
    case "n", "N", "q", "Esc":
      overlay = nil
      consent.wish.refusal.map { tell($0) }
    default: break
    }
    return []
  }

  /// Acts if the answer still means what was asked; otherwise asks again.
  private mutating func settle(_ asked: Consent, in catalog: Catalog) -> [DebuggerEffect] {
    let kept = asked.wish.refusal.map { "; \($0)" } ?? ""
    do throws(Refusal) {
      guard let instance = catalog[asked.session], asked.session == app else {
        throw Refusal(whyNoApp)
      }
      let met = met(in: catalog)
      if let need = asked.wish.needs.first(where: { !met.contains($0) }) {
        throw Refusal(need.whyNot)
      }
      var now = try consent(to: asked.wish, instance)
      guard let change = now.ground.change(since: asked.ground, in: instance.timeline) else {
        return grant(now, instance)
      }
      now.facts.append("Asked again: \(change).")
      overlay = .consent(now)
      // The box may be too small for all facts.
      tell("asked again: \(change)")
    } catch {
      tell(error.text + kept, .failed)
    }
    return []
  }

  private mutating func grant(_ consent: Consent, _ instance: Instance) -> [DebuggerEffect] {
    switch consent.wish {
    case .commit: return ask(.commit, "committed", instance)
    case .rollback: return ask(.rollback, "rolled back", instance)
    case .sweep: return ask(.sweep, "swept", instance)
    case .move(let row, _):
      guard case .command(let command) = consent.ground else { return [] }
      return ask(
        command, command.deed(in: instance.timeline), instance,
        undoneBy: HistoryOrder(instance.timeline).undoing(moveOf: row))
    case .replace(let path): return replace(by: path, instance)
    case .load(let path, _): return load(path, instance)
    case .put(let bytes, let file, _, let isTyped):
      return put(
        bytes, instance, file: file, typed: isTyped ? String(decoding: bytes, as: UTF8.self) : nil)
    case .edit(let path, _): return [.editFile(instance.session, path: path)]
    case .overwrite(let question, let path):
      return write(question, to: path, replaces: true, of: instance)
    case .takeOver: return take(over: true, instance)
    }
  }

  /// The question for a wish, as things are now.
  private func consent(to wish: Consent.Wish, _ instance: Instance) throws(Refusal) -> Consent {
    let parts = try parts(of: wish, instance)
    return Consent(
      session: instance.session, wish: wish, ground: parts.ground, question: parts.question,
      facts: parts.facts.compactMap(\.self))
  }
}
