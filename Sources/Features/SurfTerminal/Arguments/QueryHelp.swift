/// The reference of the query language, as `statesurf help query` prints it.
package enum QueryHelp {
  package static let examples: [(query: String, means: String)] = [
    ("user.name changed", "the user's name changed"),
    ("becomes count over 10", "count is over 10, and was not before"),
    ("kind:action not changed", "an action that changed nothing"),
    ("todos[id:7].done changed to true", "todo 7 was finished"),
    ("chain:42", "row 42, and all that it set off"),
    ("row:100..200 level:error", "errors between rows 100 and 200"),
    ("grew:10k..", "the state grew by 10 kB or more"),
    ("file:Reducer.swift line:40..60", "it came from these lines"),
    ("becomes total is not state.items.@sum.price", "the total stopped being the sum"),
    ("user changed to null before.requests.@count over 0", "logged out with requests running"),
    ("dt:250ms.. not by:ada", "after a pause of 250 ms, and not by ada"),
    ("becomes route is /checkout", "the checkout was reached"),
    ("..email has @example.org", "an email, at any depth"),
    ("name:setFilter,clear payload.value is all", "one of two actions, with that payload"),
    ("all todos.%.done is true", "every todo is done, and there is one"),
    ("milk or name matches ^add", "a text in name or payload; or a state's name"),
  ]

  package static let lines: [String] =
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    + ["Examples:"]
    + Help.examples(examples.map { ($0.query, $0.means) })

  private static let text = """
    A query asks about one row, the state after it, and the state before. The words
    of the command line are joined; among several, a word that contains a space is
    one text.

    A test is a path, a relation and a value; a fact about the row is a field; any
    other word is a text in the row's name or payload, in any case unless it has a
    capital. For a change to the history, only the name is searched.

    Logic:      and (or nothing between), or, not, ( )
                before Q: it held in the state before; becomes Q: Q and not before Q

    Paths:      todos[3].title  ["a b"].c    as `statesurf diff` prints them
                todos.3.title  todos[-1]     by number; from the end
                todos.*.done  todos.%.done   each of them (% needs no quotes)
                todos[id:7].done             those whose id is 7
                ..email                      at any depth
                items.@sum.price             @count @sum @min @max
                before.x  payload.x          of the state before, of the payload
                state.x                      of the state, whatever x is called
    Where a path leads to several values, one that fits is enough; with `all` before
    it, every one must, and there must be one. A negation is the opposite: none
    fits.

    Relations:  is  is not  over  under  atleast  atmost   or  = == != > < >= <=
                in 5..9,12,abc
                has  starts  ends            part of a text; an element; a key
                matches ^a.*z$               a pattern; \\d \\w \\s \\b, and (?i)
                                             for any case
                exists  missing
                type null|bool|number|string|array|object
                changed [from V] [to V]      null stands for an absent value, too
                grew [by 1..]  shrank [by 5] a number, or a length
    Values:     5 is the number and the text; "5" is the text; true, false, null;
                a word; a path that begins with state., before. or payload.

    Fields:     row:5..9  kind:action  name:add,clear  level:warning..  app:Todo
                by:ada  file:Main.swift  line:40..60  cause:12  chain:12  mark:begin
                at:14:03..14:05  dt:250ms..  size:10k..  grew:1M..  from:12
                -field: is not field:
                Several choices are separated by commas; a range may have one end.
                name:curs*  by:*@desk        * or % is any text, in names and files
                Units are k and M, and ns, us, ms, s, m and h.
    Kinds:      action update log mark revision remove restored other

    Without quotes in a shell: over for >, % for *, todos.3 for todos[3], and `or`
    with `and` rather than parentheses. A first -field: stands behind --.

    The state before is the one that the row grew from. If that is not here, neither
    `changed` nor `not changed` finds the row.

    """
}
