// The text of the note on a merge request that changes the rules, safe against hostile titles, names and texts.

import { harmless } from '../../rules/language/templates.ts'
import { count, cut } from '../../rules/language/values/wording.ts'
import type { Decision, RuleTrace } from '../../rules/types.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'

/** One open merge request, decided by the rules in force and by the proposed ones. */
export interface Comparison {
  iid: number
  title: string
  before: Decision
  after: Decision
}

export interface RuleChange {
  /** The commit of the proposed rules. */
  head: string
  /** Where there are any, nothing is compared. */
  problems: readonly string[]
  compared: readonly Comparison[]
  /** How many were not compared: the call budget was used up. */
  left: number
  /** People of whom there are none, and how many of the compared merge requests would wait for them. */
  nobody: readonly { who: string; waiting: number }[]
  /** The events of the hook that these rules need and the present ones do not. */
  events: readonly string[]
}

const longestCell = 160
const mostActions = 6
const mostProblems = 20

/** As code: nothing in the text is formatted, linked or mentioned, or ends the table cell. */
export function asCode(text: string): string {
  const plain = harmless(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('`', "'")
    .replaceAll('|', '¦')
    .trim()
  return `\`${cut(plain === '' ? '…' : plain, longestCell)}\``
}

/** What a decision would do, a phrase each. */
function effectsOf({ rules }: Decision): string[] {
  // Observe-mode rules of other files are hidden: not every reader may read them.
  const isVisible = ({ file, mode }: RuleTrace) => file === repositoryRulePath || mode === undefined
  const actions = rules.filter(isVisible).flatMap((rule) => rule.actions)
  const effects = actions.flatMap(({ action, result, detail, dryRun }) => {
    if (result === 'call') return [`${action}: ${dryRun === true ? 'would only be observed: ' : ''}${detail}`]
    return result === 'waits' ? [`${action}: waits`] : []
  })
  return [...new Set(effects)].sort()
}

function cell(effects: readonly string[]): string {
  if (effects.length === 0) return 'nothing'
  const more = effects.length > mostActions ? [`and ${effects.length - mostActions} more`] : []
  return [...effects.slice(0, mostActions).map(asCode), ...more].join('<br>')
}

function rowOf({ iid, title, before, after }: Comparison): string[] {
  const [now, then] = [effectsOf(before), effectsOf(after)]
  if (JSON.stringify(now) === JSON.stringify(then)) return []
  // As code: a reference would leave a mark on each merge request.
  return [`| \`!${iid}\` ${asCode(title)} | ${cell(now)} | ${cell(then)} |`]
}

/** Markdown. */
export function ruleChangeText({ head, problems, compared, left, nobody, events }: RuleChange): string {
  const title = `**This changes the rules of Bellhop** (tried as of ${asCode(head.slice(0, 8))}). Rules count only once they are on the default branch, and a person has to merge them.`
  if (problems.length > 0) {
    const more = problems.length > mostProblems ? [`- and ${problems.length - mostProblems} more`] : []
    const list = problems.slice(0, mostProblems).map((each) => `- ${asCode(each)}`)
    return [
      title,
      '',
      'They cannot be read. Once merged, nothing would be approved or accepted until they are fixed:',
      '',
      ...list,
      ...more,
    ].join('\n')
  }
  const rows = compared.flatMap(rowOf)
  const extent = `${count(compared.length, 'open merge request')} evaluated${left === 0 ? '' : `, ${left} more not: that would take too many calls`}.`
  const waits = nobody.map(
    ({ who, waiting }) => `**Nobody is ${asCode(who)}**: ${count(waiting, 'merge request')} would wait for that.`,
  )
  if (events.length > 0)
    waits.push(
      `Bellhop’s hook will need ${events.map(asCode).join(', ')}. Bellhop adds that where its user is a Maintainer; else a Maintainer runs \`bellhop hooks install\`, or chooses it in the project’s settings.`,
    )
  if (rows.length === 0) {
    const same = `They would decide the same as the rules in force do now. ${extent}`
    return [title, same, ...waits].join('\n\n')
  }
  return [
    title,
    '',
    'What they would do differently at this moment:',
    '',
    '| merge request | the rules in force | these rules |',
    '|---|---|---|',
    ...rows,
    '',
    [extent, ...waits].join('\n\n'),
  ].join('\n')
}
