// Landings that are interrupted, on the embedded queue.
import { landingsSuite } from './landings.suite.ts'

landingsSuite(() => undefined)
