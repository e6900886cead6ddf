import SurfBasics

package typealias SeededGenerator = SurfBasics.SeededGenerator
