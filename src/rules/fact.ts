// What a fact is: documentation, a type, the sources it comes from, and how it is read from their answers.
import type { Tolerant } from '../api/endpoint.ts'
import type { FactType } from './fact-types.ts'
import type { Source } from './sources.ts'
import type { DecideInput, Event, FactValue, Json, SourceName } from './types.ts'

/** A source's answer as a fact sees it. */
export type Reading<B> =
  | { is: 'read'; body: Tolerant<B>; complete: boolean }
  | { is: 'unread'; source: SourceName }
  | { is: 'absent'; reason: string; status?: number }

/** Stands in public text in place of what some reader may not read. */
export const NOT_SHOWN = '(not shown here: it may be private)'

/** The public value of a fact that no public text may show. */
export const notShown: FactValue = { is: 'absent', reason: NOT_SHOWN }

/** What facts are read from. */
export interface FactView extends Pick<DecideInput, 'mergeRequest' | 'memory' | 'now' | 'bot' | 'project' | 'policy'> {
  /** `instance` names one of several, such as a project by its id; without it, the one that the event is about. */
  source<B>(source: Source<B>, instance?: string): Reading<B>
  /** The event that is judged, for event rules. */
  event?: Event | undefined
}

export interface Fact<T extends Json = Json> {
  doc: string
  type: FactType<T>
  /** The sources it may ask for. */
  from: readonly SourceName[]
  read(view: FactView): FactValue
  /** The part of the value that every reader of the merge request may read. Absent: the whole value. */
  readPublic?(view: FactView): FactValue
  /** One condition on it, as YAML. */
  example: string
  /** Only rules with `on:` can ask for it. */
  ofEvents?: boolean
  /** It never changes for one merge request: what a delivery says of it can be believed without reading it again. */
  stable?: true
  /** Its values are names that the project or the service knows. */
  names?: 'label' | 'user' | 'milestone'
  /** What would make a condition on it true, as a person would say it. */
  unblock(wanted: string, actual: Json | undefined): string
}

export interface DeclaredFact<B, T extends Json>
  extends Pick<Fact<T>, 'doc' | 'type' | 'example' | 'unblock' | 'stable' | 'names' | 'readPublic'> {
  from: Source<B>
  /** undefined: the service does not say. */
  read(body: Tolerant<B>, view: FactView): T | undefined
  /** Where the fact is cut though its source is whole. */
  complete?(body: Tolerant<B>): boolean
}

/** A known value of a type; anything that is not of the type is absent. */
export function known<T extends Json>(type: FactType<T>, value: unknown, complete = true, note?: string): FactValue {
  if (!type.check(value)) return { is: 'absent', reason: 'the hosting service does not say' }
  return { is: 'known', value, complete, ...(note === undefined ? {} : { note }) }
}

/** A fact that one source's answer holds. */
export function fact<B, T extends Json>(declared: DeclaredFact<B, T>): Fact<T> {
  const { doc, type, example, unblock } = declared
  return {
    doc,
    type,
    example,
    unblock,
    from: [declared.from.name],
    ...(declared.stable === true ? { stable: true } : {}),
    ...(declared.names === undefined ? {} : { names: declared.names }),
    ...(declared.readPublic === undefined ? {} : { readPublic: declared.readPublic }),
    read(view) {
      const reading = view.source(declared.from)
      if (reading.is !== 'read') return reading
      return known(type, declared.read(reading.body, view), reading.complete && (declared.complete?.(reading.body) ?? true))
    },
  }
}
