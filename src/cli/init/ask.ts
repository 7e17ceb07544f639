// Asks questions on the terminal.
import { createInterface } from 'node:readline/promises'
import { UserError } from '../user-error.ts'

/** An empty answer means the default. Throws UserError when the input ends. */
export function askOnTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const lines = createInterface({ input, output })
  // Also holds what is typed or pasted before its question.
  const answers = lines[Symbol.asyncIterator]()
  let isOpen = true
  lines.once('close', () => {
    isOpen = false
  })
  const text = async (question: string, standard: string) => {
    lines.setPrompt(`${question} [${standard}] `)
    // From Node 24 on it throws after the end of the input, before which an answer may have come.
    if (isOpen) lines.prompt()
    const answer = await answers.next()
    if (answer.done === true) throw new UserError('The input ended before the last question: nothing was written.')
    return answer.value.trim() || standard
  }
  return {
    text,
    yes: async (question: string, standard: boolean) => /^y/i.test(await text(question, standard ? 'yes' : 'no')),
    end: () => lines.close(),
  }
}
