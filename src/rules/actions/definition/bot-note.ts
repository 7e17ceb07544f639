// Finds Bellhop's own note by a hidden mark and its author; no other note is ever changed.

import { items } from '../../facts/definition/service-values.ts'
import { fingerprint } from '../../language/values/fingerprint.ts'
import { isMap } from '../../language/values/shapes.ts'
import { cut } from '../../language/values/wording.ts'

/** Characters of a note; the service accepts a million. */
const LONGEST = 100_000

/** The mark has a fingerprint of the rule, because its name may be private. */
const markOf = (purpose: string) => `<!-- bellhop:${fingerprint(purpose)} -->`

/** The form in which texts are compared: a service may change line ends and trim. */
export const plainText = (body: string) => body.replace(/\r\n?/g, '\n').trim()

/** The newest of Bellhop's own notes for this purpose (a rule's name), with its mark. `listed`: newest first. */
export function findBotNote(listed: unknown, purpose: string, bot: { id: number }) {
  for (const each of items(listed as unknown[]) ?? []) {
    if (!isMap(each) || typeof each.id !== 'number' || typeof each.body !== 'string' || each.system === true) continue
    const found = plainText(each.body)
    if (isMap(each.author) && each.author.id === bot.id && found.endsWith(markOf(purpose)))
      return { id: each.id, body: found }
  }
  return undefined
}

/** The text with its hidden mark; undefined for an empty text. */
export function withMark(text: string, purpose: string): string | undefined {
  const trimmed = plainText(cut(text, LONGEST))
  return trimmed === '' ? undefined : `${trimmed}\n\n${markOf(purpose)}`
}
