// People are told what went wrong, on the embedded queue.
import { tellingSuite } from './telling.suite.ts'

tellingSuite(() => undefined)
