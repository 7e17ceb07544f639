// What Bellhop writes is for every reader: on the embedded queue.
import { privacySuite } from './privacy.suite.ts'

privacySuite(() => undefined)
