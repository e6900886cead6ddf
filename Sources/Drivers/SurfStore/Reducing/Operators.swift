/// Joins two reducers, two middlewares or two after-reducers. Reducers and middlewares run from
/// left to right, after-reducers from right to left.
infix operator <> : AdditionPrecedence

/// Joins the right one to the left one, in place.
infix operator <>= : AssignmentPrecedence
