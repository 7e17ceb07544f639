// The operator's desk, on the embedded queue.
import { deskSuite } from './desk.suite.ts'

deskSuite(() => undefined)
