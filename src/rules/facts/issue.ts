// Facts that only issues have.
import type { Tolerant } from '../../api/endpoint.ts'
import { boolean, integer, names, text } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import { type Fact, type FactView, factsFrom, known, NOT_SHOWN } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import type { BodyOf, Source } from './definition/source.ts'
import { sources } from './definition/sources.ts'

// For an issue this source reads the issue.
const source = sources.mergeRequest as unknown as Source<BodyOf<'issues.get'>>
const issueField = factsFrom(source, { showsInUpdatedAt: true, recorded: true, ofIssues: 'only' })

export const confidential = issueField({
  doc: 'Whether only some members of the project may see the issue.',
  type: boolean,
  read: 'confidential',
  example: 'confidential: false',
  toFix: { true: 'make it confidential', false: 'make it visible to everybody' },
})

export const issue_type = issueField({
  doc: 'What kind of issue it is: `issue`, `incident`, `task`, `test_case` and others.',
  type: text,
  read: 'issue_type',
  example: 'issue_type: incident',
})

export const weight = issueField({
  doc: 'The weight; 0 where none is set.',
  type: integer,
  read: (issue) => (issue.weight === null ? 0 : issue.weight),
  tier: 'premium',
  example: 'weight: { at_least: 5 }',
  toFix: 'a weight of',
})

type Related = Tolerant<BodyOf<'issues.relatedMergeRequests'>[number]>

/** `!12`, or `group/app!12` in another project. */
function nameOf({ iid, project_id, references }: Related, { mergeRequest }: FactView): unknown {
  if (project_id !== mergeRequest.project) return references?.full
  return Number.isSafeInteger(iid) ? `!${String(iid)}` : undefined
}

function readRelated(view: FactView, passes: (each: Related) => boolean, isPublic = false): FactValue {
  const reading = view.source(sources.relatedMergeRequests)
  if (reading.is !== 'read') return reading
  const all = (items(reading.body) ?? []) as Related[]
  const listed = all.filter(passes)
  const shown = isPublic ? listed.filter(({ project_id }) => project_id === view.mergeRequest.project) : listed
  const named = shown.map((each) => nameOf(each, view))
  const value = known(names, named, reading.complete && shown.length === listed.length)
  return value.is === 'known' && shown.length < listed.length ? { ...value, missing: NOT_SHOWN } : value
}

function relatedFact(own: Pick<Fact, 'doc' | 'example' | 'toFix'>, passes: (each: Related) => boolean): Fact<string[]> {
  return {
    ...own,
    type: names,
    from: [sources.relatedMergeRequests.name],
    read: (view) => readRelated(view, passes),
    // Merge requests of other projects may be private.
    readPublic: (view) => readRelated(view, passes, true),
    // The service also counts merge requests that a note of the issue names.
    changesWith: ['note'],
    ofIssues: 'only',
  } as Fact<string[]>
}

export const related_merge_requests = relatedFact(
  {
    doc: 'The merge requests that mention the issue: `!12`, or `group/app!12` of another project.',
    example: 'related_merge_requests: { any: "*" }',
    toFix: 'merge requests that mention it with',
  },
  () => true,
)

export const related_merge_requests_open = relatedFact(
  {
    doc: 'Those of `related_merge_requests` that are open.',
    example: 'related_merge_requests_open: { none: "*" }',
    toFix: 'open merge requests that mention it with',
  },
  ({ state }) => state === 'opened' || state === 'reopened' || state === 'locked',
)
