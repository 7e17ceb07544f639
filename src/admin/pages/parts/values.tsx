// Values: a state as a word and a colour, never as a colour alone; a time; names with values.
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { words } from '../../../rules/explain/explain.ts'
import type { CallResponse, Verdict } from '../../../rules/types.ts'
import type { HookHealth } from '../../api/response-schemas.ts'
import type { Session } from '../session/session.ts'

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

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

export function Time({ at }: { at: string }) {
  const exact = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(Date.parse(at) - Date.parse(useViewer().now))}
    </time>
  )
}

/** `3 min. ago`, `in 2 hr.` */
export function relativeTime(ms: number): string {
  const step = steps.find((each) => Math.abs(ms) >= each.ms)
  return step === undefined ? 'now' : format.format(Math.trunc(ms / step.ms), step.unit)
}

/** `840 ms`, `2.4 s`. */
export function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** `12 s`, `3 min`, `4.5 h`, `2.1 d`. */
export function formatSpan(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`
  if (minutes < 60) return `${Math.round(minutes)} min`
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${(minutes / 60 / 24).toFixed(1)} d`
}

export interface Viewer {
  session: Session
  /** ISO 8601. */
  now: string
}

export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Throws if nobody is logged in. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === undefined) throw new Error('nobody is logged in')
  return viewer
}

/** Leaves out undefined, null and false values. */
export function DetailsList({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="details">
      {Object.entries(of).map(([name, value]) =>
        value === undefined || value === null || value === false ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

interface MessagesProps {
  of: readonly string[]
  tone?: 'problem' | 'notice'
  /** The address of the rule editor with the file that they are about; empty on its own page. */
  editor: string
}

/** Problems or warnings of rule files; those of the repository's file lead to their line in the editor. */
export function Messages({ of, tone, editor }: MessagesProps) {
  return (
    <ul class={tone}>
      {of.map((each, index) => {
        const [place = '', line] = /^\.bellhop\.yml:(\d+):\d+/.exec(each) ?? []
        return (
          <li key={index}>
            <code>
              {line !== undefined && <a href={`${editor}#line-${line}`}>{place}</a>}
              {each.slice(place.length)}
            </code>
          </li>
        )
      })}
    </ul>
  )
}

/** The first items in one line, separated by commas. */
export function CommaList<T>(given: { of: readonly T[]; most?: number; each: (item: T) => ComponentChildren }) {
  const { of, most = 3, each } = given
  const shown = of.slice(0, most)
  return (
    <>
      {shown.map((item, index) => (
        <span key={index}>
          {index > 0 && ', '}
          {each(item)}
        </span>
      ))}
      {of.length > shown.length && ` and ${of.length - shown.length} more`}
    </>
  )
}
