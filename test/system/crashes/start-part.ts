// A receiver or a worker as a process of its own, for the world of a test.
import { startBuilt } from '../../built-program.ts'
import type { BotWorld } from '../bot-world.ts'
import type { Running } from '../process.ts'

export type Part = Running & { url: string }

export interface PartOptions {
  only: 'receiver' | 'worker'
  /** The secret of the hook. */
  secret: string
  queueUrl: string
  /** Settings over those of the test. */
  special?: Record<string, string>
}

/** Resolves when it is ready. `onStart` gets it before, so that it is ended in any case. */
export async function startPart(
  { sandbox, options }: BotWorld,
  { only, secret, queueUrl, special = {} }: PartOptions,
  onStart: (part: Running) => void,
): Promise<Part> {
  const env = {
    BELLHOP_SERVICE_URL: sandbox.url,
    BELLHOP_SERVICE_TOKEN: options.token,
    BELLHOP_HOOK_SECRET: secret,
    BELLHOP_QUEUE_URL: queueUrl,
    BELLHOP_JOURNAL_URL: options.journalUrl,
    BELLHOP_RULES: options.rules,
    BELLHOP_PORT: '0',
    BELLHOP_ONLY: only,
    BELLHOP_SWEEP_EVERY: '0',
    BELLHOP_NEW_RULE_LIMIT: '0',
    PATH: process.env.PATH,
    ...special,
  }
  const part = await startBuilt('test/system/crashes/part-process.ts', [], env)
  onStart(part)
  const [, url = ''] = await part.says(/^bellhop: (http:\S+)$/m)
  return { ...part, url }
}
