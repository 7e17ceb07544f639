// The admin API, on the embedded queue.
import { adminSuite } from './admin.suite.ts'

adminSuite(() => undefined)
