// The task items of the description: `- [ ]`, `* [x]`, `1. [ ]`.

import { blockTokens } from '../language/commands/comment-commands.ts'
import { integer } from '../language/operators/fact-types.ts'
import { type Fact, sharedField } from './definition/fact.ts'

/** Parsing a longer description may take long. */
const LONGEST_DESCRIPTION = 100_000

/** A task item as GitLab counts it: a text follows the box, outside of code and comments. `[~]` does not apply. */
const TASK = /^\[([\sxX~])\]\s+\S/

/** How many task items are open, and how many are done. */
export function countItems(markdown: string): { open: number; done: number } {
  const tokens = blockTokens(markdown.replace(/\r\n?/g, '\n'))
  const boxes = tokens.flatMap(({ type, content }, index) => {
    const isItem = type === 'inline' && tokens[index - 2]?.type === 'list_item_open'
    return isItem ? (TASK.exec(content)?.[1] ?? []) : []
  })
  const count = (box: RegExp) => boxes.filter((each) => box.test(each)).length
  return { open: count(/\s/), done: count(/x/i) }
}

const checklistFact = (own: Pick<Fact<number>, 'doc' | 'example' | 'toFix'>, items: 'open' | 'done') =>
  sharedField({
    ...own,
    type: integer,
    read({ description }) {
      const text = description === null ? '' : description
      if (typeof text !== 'string') return undefined
      if (text.length > LONGEST_DESCRIPTION)
        return { is: 'absent', reason: `a description of more than ${LONGEST_DESCRIPTION} characters is not read` }
      return countItems(text)[items]
    },
  })

export const checklist_open = checklistFact(
  {
    doc: 'How many task items of the description (`- [ ]`, `* [ ]`, `1. [ ]`) are open. Not in code; items that do not apply (`[~]`) do not count. Descriptions by Renovate have an open item of their own.',
    example: 'checklist_open: 0',
    toFix: 'a number of open task items of',
  },
  'open',
)

export const checklist_done = checklistFact(
  {
    doc: 'How many task items of the description (`- [x]`) are done.',
    example: 'checklist_done: { at_least: 1 }',
    toFix: 'a number of done task items of',
  },
  'done',
)
