import { existsSync, readFileSync } from 'node:fs'
import { startBuilt } from '../../built-program.ts'

/** Starts one; `record` is the file that working processes write down their work in. */
export async function queueProcess(
  does: 'add+work' | 'work',
  given: { url: string; lane: string; record: string; lockMs: number },
) {
  const args = [does, given.url, given.lane, given.record, String(given.lockMs)]
  const { child, stdout, stderr, ended } = await startBuilt('test/system/crashes/queue-process.ts', args)
  // The last line may be half a line.
  const lines = () => stdout().split('\n').slice(0, -1)
  return {
    child,
    /** The lines that it has said so far; throws when it has ended by itself. */
    said() {
      if (child.exitCode !== null) throw new Error(`the process ended by itself:\n${stderr()}`)
      return lines()
    },
    /** SIGKILL; gives all that it has said when it is gone. */
    async kill() {
      child.kill('SIGKILL')
      await ended
      return lines()
    },
  }
}

/** One line of the record. */
export interface Step {
  is: 'begin' | 'end' | 'lost'
  job: number
  by: number
}

export function readRecord(path: string): Step[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [is, job, by] = line.split(' ')
      return { is: is === 'begin' || is === 'lost' ? is : 'end', job: Number(job), by: Number(by) }
    })
}

/** How often a job began while the same one had begun and not ended. */
export function overlaps(steps: readonly Step[]): number {
  const running = new Map<number, number>()
  let found = 0
  for (const { is, job } of steps) {
    const before = running.get(job) ?? 0
    if (is === 'begin' && before > 0) found += 1
    running.set(job, is === 'begin' ? before + 1 : before - 1)
  }
  return found
}

/** The same numbers from 0 to 1 for the same seed. */
export function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
