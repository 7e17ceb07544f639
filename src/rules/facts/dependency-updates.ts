// Which part of a version the update of a dependency bot (Renovate, Dependabot) changes: from its texts.
// All of it is hostile text. A claim can only make the change larger; what cannot be read leaves it unknown.
import { choice } from '../language/operators/fact-types.ts'
import { field } from './definition/fact.ts'

const changes = choice(['patch', 'minor', 'major'])

export const version_change = field({
  doc: 'Which number of the version changes, as Renovate or Dependabot write it in title, description and branch: the first (`major`), the second (`minor`) or a later one (`patch`); of several updates, the largest. Unknown where that is not clear: for previews, digests, pins, and where two texts contradict each other. People can edit these texts, so also ask for the `author` and for `pushed_by`.',
  type: changes,
  read({ title, description, source_branch: branch }) {
    // An empty description may be null.
    const text = description === null ? '' : description
    if (typeof title !== 'string' || typeof text !== 'string' || typeof branch !== 'string')
      return { is: 'absent', reason: 'the hosting service does not say its texts' }
    const found = readVersionChange({ title, description: text, branch })
    return 'change' in found ? found.change : { is: 'absent', reason: found.unknown }
  },
  showsInUpdatedAt: true,
  recorded: true,
  example: 'version_change: [patch, minor]',
})

export type Change = 'patch' | 'minor' | 'major'

/** A longer description is not read. */
export const LONGEST_UPDATE = 100_000

export interface UpdateTexts {
  title: string
  description: string
  branch: string
}

const ORDER: readonly Change[] = ['patch', 'minor', 'major']
const largest = (changes: readonly Change[]): Change | undefined => ORDER.findLast((each) => changes.includes(each))

/** One update; `change` is undefined if it cannot be read. */
interface Update {
  change: Change | undefined
  to: string
}

/** The change of all updates together: the largest. */
export function readVersionChange(texts: UpdateTexts): { change: Change } | { unknown: string } {
  const { title, description, branch } = texts
  if (description.length > LONGEST_UPDATE)
    return { unknown: `a description of more than ${LONGEST_UPDATE} characters is not read` }
  const { rows, lines, claims } = readDescription(description)
  const updates = [...updatesIn(title), ...rows, ...lines]
  const known = updates.flatMap(({ change }) => change ?? [])
  const change = largest([...known, ...claims, ...claimsOf(title, branch)])
  // Nothing is larger, whatever else is listed.
  if (change === 'major') return { change }
  if (change === undefined || known.length === 0)
    return { unknown: 'its title and description state no two versions that can be read' }
  const doubt = doubtAbout(texts, updates, Math.max(rows.length, lines.length))
  return doubt === undefined ? { change } : { unknown: doubt }
}

/** Why the updates that could be read may not be all. */
function doubtAbout({ title, branch }: UpdateTexts, updates: readonly Update[], listed: number): string | undefined {
  const unread = updates.find((each) => each.change === undefined)
  if (unread !== undefined) return `an update among them cannot be read: ${JSON.stringify(unread.to.slice(0, 60))}`
  const stated = Number(/ with (\d{1,6}) updates?\b/i.exec(title)?.[1] ?? 0)
  if (stated > listed) return `its title states ${stated} updates, and fewer are listed`
  const target = targetsOf(title, branch).find((each) => !updates.some(({ to }) => isWithin(to, each)))
  return target === undefined ? undefined : `${target} is named as the new version, and no update to it can be read`
}

/** The new versions that title and branch name: `to v2`, `renovate/eslint-8.x`, `dependabot/npm/eslint-8.17.0`. */
function targetsOf(title: string, branch: string): string[] {
  const patterns: [string, RegExp][] = [
    [title, / to [\^~]?v?(\d+(?:\.\d+)*)(?![\w.-])/i],
    [branch, /^renovate\/.*-(\d+(?:\.\d+)*)\.x(?:-lockfile)?$/],
    [branch, /^dependabot[/-].*-(\d+(?:\.\d+)+)$/],
  ]
  return patterns.flatMap(([text, pattern]) => pattern.exec(text.slice(0, 1000))?.[1] ?? [])
}

/** Whether the version is the target or within it: `8.17.0` is within `8`. */
function isWithin(version: string, target: string): boolean {
  const parts = partsOf(version)?.numbers ?? []
  return target.split('.').every((part, index) => sameNumber(parts[index] ?? '0', part))
}

/** What a bot states without versions. It can only make the change larger; alone only the largest counts. */
function claimsOf(title: string, branch: string): Change[] {
  const said = /\((major|minor)\)/i.exec(title)?.[1]?.toLowerCase()
  return [...ORDER.filter((each) => each === said), ...(/^renovate\/major-/.test(branch) ? (['major'] as const) : [])]
}

const VERSION = String.raw`((?:[\^~=<>!]{1,3} ?)?\S+)`
/** `Bump eslint from 8.16.0 to 8.17.0 in /web` */
const FROM_TO = new RegExp(` from ${VERSION} to ${VERSION}`, 'gi')

function updatesIn(text: string): Update[] {
  return [...text.matchAll(FROM_TO)].map(([, from = '', to = '']) => updateOf(from, to.replace(/[.,;:]$/, '')))
}

/** The updates that a description lists: rows of tables, and lines of Dependabot. Release notes only make claims. */
function readDescription(description: string): { rows: Update[]; lines: Update[]; claims: Change[] } {
  const [rows, lines, claims]: [Update[], Update[], Change[]] = [[], [], []]
  const isDependabot = /^\s*Bumps /.test(description.slice(0, 1000))
  let columns: Columns | undefined
  let isTop = true
  for (const line of description.split(/\r\n?|\n/)) {
    if (/^(?:#|<details|---)/.test(line)) isTop = false
    const cells = cellsOf(line)
    const own = /^(?:Bumps|Updates) /.test(line) ? updatesIn(line) : []
    if (isDependabot) lines.push(...own)
    else claims.push(...own.flatMap(({ change }) => change ?? []))
    if (cells === undefined) columns = undefined
    else if (columns === undefined) columns = columnsOf(cells)
    else if (listsUpdates(columns) && !cells.every((each) => /^:?-+:?$/.test(each))) {
      const row = rowOf(cells, columns)
      if (isTop) rows.push(row)
      claims.push(...ORDER.filter((each) => each === row.change || each === cells[columns?.update ?? -1]))
    }
  }
  return { rows, lines, claims }
}

type Columns = Record<'package' | 'update' | 'change' | 'from' | 'to', number>

const listsUpdates = ({ package: name, change, from, to }: Columns) =>
  name !== -1 && (change !== -1 || (from !== -1 && to !== -1))

/** The cells of a row as plain text, without links and code marks. */
function cellsOf(line: string): string[] | undefined {
  const row = line.trim()
  if (!row.startsWith('|')) return undefined
  const plain = row.replace(/\]\([^()\s]*\)/g, ']').replace(/[[\]`]/g, '')
  return plain
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function columnsOf(cells: readonly string[]): Columns {
  const at = (...names: string[]) => cells.findIndex((cell) => names.includes(cell.toLowerCase()))
  return {
    package: at('package'),
    update: at('update'),
    change: at('change'),
    from: at('from', 'current value'),
    to: at('to', 'new value'),
  }
}

/** `| [eslint](…) | devDependencies | minor | [`8.16.0` -> `8.17.0`](…) |`, or with columns From and To. */
function rowOf(cells: readonly string[], { package: name, update, change, from, to }: Columns): Update {
  const kind = update === -1 ? '' : (cells[update] ?? '')
  const text = change === -1 ? (cells[to] ?? '') : (cells[change] ?? '')
  const [before = '', after = '', ...more] = change === -1 ? [cells[from], cells[to]] : text.split(ARROW)
  // A replacement by another package, a pin, a digest, or refreshed locks.
  const isOther = ARROW.test(cells[name] ?? '') || (kind !== '' && !ORDER.some((each) => each === kind))
  return isOther || more.length > 0 ? { change: undefined, to: text } : updateOf(before, after)
}

const ARROW = /->|→|➔/

function updateOf(from: string, to: string): Update {
  return { change: changeOf(from, to), to: to.trim() }
}

/** The numbers of a version, and the rest behind them: `v18.2-alpine`. */
function partsOf(version: string): { numbers: string[]; rest: string } | undefined {
  const text = version.trim().replace(/^[`"']|[`"']$/g, '')
  const found = /^[\^~=<>!]* ?v?(\d{1,20}(?:\.\d{1,20}){0,5})((?:[-+_][\w.+-]*)?)$/i.exec(text)
  return found === null ? undefined : { numbers: (found[1] ?? '').split('.'), rest: found[2] ?? '' }
}

const sameNumber = (one: string, other: string) => one.replace(/^0+(?=\d)/, '') === other.replace(/^0+(?=\d)/, '')

/** The place of the first number that differs; a difference behind the numbers, as in previews, cannot be read. */
function changeOf(from: string, to: string): Change | undefined {
  const [before, after] = [partsOf(from), partsOf(to)]
  if (before === undefined || after === undefined) return undefined
  const differs = (index: number) => !sameNumber(before.numbers[index] ?? '0', after.numbers[index] ?? '0')
  if (differs(0)) return 'major'
  if (before.rest !== after.rest) return undefined
  if (differs(1)) return 'minor'
  return [2, 3, 4, 5].some(differs) ? 'patch' : undefined
}
