// Asks what the flags did not say; only on a terminal, where somebody can answer.
import { createInterface } from 'node:readline/promises'
import { UserError } from '../user-error.ts'

export interface Asking {
  text(question: string, standard: string): Promise<string>
  yes(question: string, standard: boolean): Promise<boolean>
  end(): void
}

/** Questions go to standard error, so that standard output stays what the command prints. An empty answer takes the standard. Throws UserError when the input ends. */
export function askOnTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Asking {
  const lines = createInterface({ input, output })
  const ended = new AbortController()
  // Without this a question would wait for ever for an answer that cannot come any more.
  lines.once('close', () => ended.abort())
  const text = async (question: string, standard: string) => {
    const answer = await lines.question(`${question} [${standard}] `, { signal: ended.signal }).catch((cause: unknown) => {
      throw new UserError('The answers ended before the last question: nothing was written.', { exitCode: 1, cause })
    })
    return answer.trim() || standard
  }
  return {
    text,
    yes: async (question, standard) => /^y/i.test(await text(question, standard ? 'yes' : 'no')),
    end: () => lines.close(),
  }
}
