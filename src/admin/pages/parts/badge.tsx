// Badges: a state as a word and a colour, never as a colour alone.
import { words } from '../../../rules/explain/explain.ts'
import type { CallResponse, Verdict } from '../../../rules/types.ts'
import type { HookHealth } from '../../api/response-schemas.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle'

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

const states: Record<string, Tone> = {
  received: 'info',
  read: 'good',
  no_merge_request: 'idle',
  rules_broken: 'bad',
  unreadable: 'bad',
  refused: 'bad',
  waiting: 'info',
  active: 'info',
  delayed: 'warn',
  failed: 'bad',
}

/** A state in the words of people: intake read the delivery, or found that it is about no merge request. */
export const stateWords = (state: string) =>
  state === 'read' ? 'processed' : state === 'no_merge_request' ? 'not needed' : words(state)

/** The state of a delivery or a job. */
export function StateBadge({ state }: { state: string }) {
  return <Badge tone={states[state] ?? 'idle'}>{stateWords(state)}</Badge>
}

export function HookBadge({ of: { bad, result } }: { of: Pick<HookHealth, 'bad' | 'result'> }) {
  return <Badge tone={bad ? 'bad' : 'good'}>{words(result)}</Badge>
}

export const verdicts: Record<Verdict, { tone: Tone; word: string }> = {
  true: { tone: 'good', word: 'matched' },
  false: { tone: 'idle', word: 'not matched' },
  unknown: { tone: 'warn', word: 'unknown' },
}

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { tone, word } = verdicts[verdict]
  return <Badge tone={tone}>{word}</Badge>
}

const results: Record<CallResponse['result'], Tone> = {
  done: 'good',
  already: 'good',
  moved: 'warn',
  not_now: 'warn',
  dropped: 'warn',
  refused: 'bad',
  ambiguous: 'bad',
}

/** The result of a call; `of` is its action. */
export function ResultBadge({ result, of }: { result: CallResponse['result']; of?: string }) {
  return <Badge tone={results[result]}>{of === undefined ? words(result) : `${of}: ${words(result)}`}</Badge>
}
