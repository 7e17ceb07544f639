// A state in colour and in a word: never in colour alone.
import type { Answer, Verdict } from '../../../rules/types.ts'
import type { HookHealth } from '../../desk.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle'

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

const states: Record<string, Tone> = {
  ...{ received: 'info', read: 'good', uninteresting: 'idle', unreadable: 'bad', refused: 'bad' },
  ...{ waiting: 'info', active: 'info', delayed: 'warn', failed: 'bad' },
}

/** Of a delivery or a job. */
export function StateBadge({ state }: { state: string }) {
  return <Badge tone={states[state] ?? 'idle'}>{state}</Badge>
}

/** Of a hook: red where it is not as it should be. */
export function HookBadge({ of: { bad, result } }: { of: Pick<HookHealth, 'bad' | 'result'> }) {
  return <Badge tone={bad ? 'bad' : 'good'}>{result}</Badge>
}

const verdicts: Record<Verdict, { tone: Tone; word: string }> = {
  true: { tone: 'good', word: 'holds' },
  false: { tone: 'idle', word: 'does not hold' },
  unknown: { tone: 'warn', word: 'not known' },
}

/** Of a rule. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { tone, word } = verdicts[verdict]
  return <Badge tone={tone}>{word}</Badge>
}

const results: Record<Answer['result'], Tone> = {
  ...{ done: 'good', already: 'good', moved: 'warn', 'not now': 'warn', refused: 'bad', ambiguous: 'bad' },
}

/** Of a call. */
export function ResultBadge({ result, of }: { result: Answer['result']; of?: string }) {
  return <Badge tone={results[result]}>{of === undefined ? result : `${of}: ${result}`}</Badge>
}
