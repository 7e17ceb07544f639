// What git said about commits that were named in full is true for good: it is remembered, within a bound, and no process is started for it again.
import type { Said } from './run-apart.ts'

type Read = (repository: string, args: readonly string[], input?: string) => Promise<Said>
type Run = (repository: string, args: readonly string[], options: { input: string }) => Promise<Said>

/** Bytes of answers that are kept for one sandbox; what was asked for longest ago goes first. */
const most = 32 * 1024 * 1024
/** A longer answer is not kept. */
const longest = 1024 * 1024
/** What an answer costs besides its text. */
const overhead = 500

/** Gives `readForGood` over `run`. Answers of a failure are not kept: what is missing may come. */
export function rememberReads(run: Run): Read {
  const answers = new Map<string, Said>()
  const costOf = (key: string, stdout: Buffer): number => key.length + stdout.length + overhead
  let cost = 0

  return async (repository, args, input = '') => {
    const key = JSON.stringify([repository, args, input])
    const known = answers.get(key)
    if (known !== undefined) {
      answers.delete(key)
      answers.set(key, known)
      return known
    }
    const answer = await run(repository, args, { input })
    if (answer.code !== 0 || answer.stdout.length > longest || answers.has(key)) return answer
    answers.set(key, answer)
    cost += costOf(key, answer.stdout)
    for (const [oldest, { stdout }] of answers) {
      if (cost <= most) break
      answers.delete(oldest)
      cost -= costOf(oldest, stdout)
    }
    return answer
  }
}
