// Notifications, on the embedded queue.
import { tellingSuite } from './notifications.suite.ts'

tellingSuite(() => undefined)
