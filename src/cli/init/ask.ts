// Asks questions on the terminal.
import { createInterface } from 'node:readline/promises'
import { UserError } from '../user-error.ts'

export interface Prompt {
  text(question: string, standard: string): Promise<string>
  yes(question: string, standard: boolean): Promise<boolean>
  end(): void
}

/** An empty answer means the default. Throws UserError when the input ends. */
export function askOnTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Prompt {
  const lines = createInterface({ input, output })
  const ended = new AbortController()
  // Otherwise a question would never end.
  lines.once('close', () => ended.abort())
  const text = async (question: string, standard: string) => {
    const answer = await lines
      .question(`${question} [${standard}] `, { signal: ended.signal })
      .catch((cause: unknown) => {
        throw new UserError('The input ended before the last question: nothing was written.', { cause })
      })
    return answer.trim() || standard
  }
  return {
    text,
    yes: async (question, standard) => /^y/i.test(await text(question, standard ? 'yes' : 'no')),
    end: () => lines.close(),
  }
}
