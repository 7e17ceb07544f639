// Bellhop's own note for a purpose: found by a hidden mark and the bot's own user; nobody else's is ever touched (DESIGN §4, comment).

import { items } from '../../facts/definition/list-items.ts'
import { fingerprint } from '../../language/values/fingerprint.ts'
import { isMap } from '../../language/values/shapes.ts'
import { cut } from '../../language/values/wording.ts'

/** Of a text; the service takes a million. */
const LONGEST = 100_000

/** Names the rule without saying its name: files and rules may be private. */
const markOf = (purpose: string) => `<!-- bellhop:${fingerprint(purpose)} -->`

/** As it is compared: a service may end lines in its own way, and cut space at both ends. */
const plain = (body: string) => body.replace(/\r\n?/g, '\n').trim()

export interface BotNote {
  id: number
  /** With its mark. */
  body: string
}

/** The newest of Bellhop's own notes for this purpose (a rule's name), among those that the service listed, newest first. */
export function findBotNote(listed: unknown, purpose: string, bot: { id: number }): BotNote | undefined {
  for (const each of items(Array.isArray(listed) ? (listed as unknown[]) : undefined) ?? []) {
    if (!isMap(each) || typeof each.id !== 'number' || typeof each.body !== 'string' || each.system === true) continue
    const found = plain(each.body)
    if (isMap(each.author) && each.author.id === bot.id && found.endsWith(markOf(purpose)))
      return { id: each.id, body: found }
  }
  return undefined
}

/** The text with the mark that finds it again; undefined for one that says nothing. */
export function withMark(text: string, purpose: string): string | undefined {
  const said = plain(cut(text, LONGEST))
  return said === '' ? undefined : `${said}\n\n${markOf(purpose)}`
}
