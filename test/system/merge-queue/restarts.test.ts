// Kill -9 in the middle of a merge queue's work, on the embedded queue.
import { brief, byAcceptBriefly, byPush, forgetEmbedded, restartsSuite } from './restarts.suite.ts'

restartsSuite(() => undefined, forgetEmbedded, [byAcceptBriefly, byPush, ...brief])
