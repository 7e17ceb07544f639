// Kill -9 in the middle of a merge queue's work, on the embedded queue.
import { byAcceptBriefly, forgetEmbedded, restartsSuite } from './restarts.suite.ts'

restartsSuite(() => undefined, forgetEmbedded, [byAcceptBriefly])
