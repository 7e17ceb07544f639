// Kill -9 in the middle of a merge queue's work, on the embedded queue.
import { byAccept, byPush, forgetEmbedded, restartsSuite } from './restarts.suite.ts'

restartsSuite(() => undefined, forgetEmbedded, [byAccept, byPush])
