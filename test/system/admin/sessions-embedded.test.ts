// Logging out of the dashboard, on the embedded queue.
import { sessionsSuite } from './sessions.suite.ts'

sessionsSuite(() => undefined)
