// Parameters that several routes of the admin API take.
import * as z from 'zod'
import { deliveryStates } from '../../journal/types.ts'
import { innerIid, type ShownRef } from '../../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../../rules/types.ts'

/** A whole number, or its digits from a query; nothing else is coerced: `true` is not 1. */
export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given),
    z.int().min(least).max(most),
  )
export const integer = wholeNumber(1)
/** 0 is the project itself. */
const iidOrProject = wholeNumber(0)
/** A boolean, or its text from a query. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
/** Parameters that also take a name (run-route.ts). */
export const references = z.registry<{ to: 'project' | 'delivery' | 'decision' | 'evaluation' }>()
export const project = integer.describe('Id or full path, such as `group/app`.').register(references, { to: 'project' })
export const optionalProject = project.optional().register(references, { to: 'project' })
export const projectOrMergeRequest = integer
  .optional()
  .describe('Id or full path, or a merge request such as `group/app!12`, or an issue such as `group/app#12`.')
  .register(references, { to: 'project' })
/** Any text: an unknown id is 404. */
const idOf = (to: 'delivery' | 'decision') =>
  z.string().describe('Its id, which may be shortened to four characters.').register(references, { to })
export const [deliveryId, decisionId] = [idOf('delivery'), idOf('decision')]
export const why = z.string().trim().min(1).max(500).optional().describe('The reason, for the audit log.')
const time = z.iso.datetime({ offset: true })
export const timeRange = {
  since: time.optional().describe('At or after this time.'),
  until: time.optional().describe('Before this time.'),
}
export const pagination = {
  limit: wholeNumber(1, 200).default(50),
  after: z.string().max(1000).optional().describe('`next` of the previous page.'),
}
/** A merge request or an issue of the project next to it. */
export const ofProject = {
  iid: integer.optional().describe('A merge request of that project, or an issue.'),
  subject: z.enum(['issue']).optional().describe('The iid is the number of an issue.'),
}
export const deliveryFilter = {
  project: projectOrMergeRequest,
  ...ofProject,
  state: z.enum(deliveryStates).optional().describe('What became of it.'),
  kind: z.string().min(1).max(200).optional().describe('The kind of event, such as `note.create`.'),
  rule: z.string().min(1).max(500).optional().describe('The name of a rule that matched in a decision it triggered.'),
  outcome: z
    .enum(['failed'])
    .optional()
    .describe(
      'A call of a decision that it triggered failed, or its effect is unknown. With `rule`: a decision in which that rule matched.',
    ),
  ...timeRange,
}

/** A merge request or an issue, as a route takes it. */
interface Subject extends ShownRef {
  project: number
}

/** The reference as Bellhop stores it. */
export function refOf({ project, ...of }: Subject): MergeRequestRef {
  return { project, iid: innerIid(of) }
}

/** How the routes about a merge request (or the project itself) differ from those about an issue. */
interface SubjectRoutes {
  of: 'merge_request' | 'issue'
  subject: 'issue' | undefined
  a: string
  path: string
  params: z.ZodObject<{ project: typeof project; iid: typeof integer }>
}
export const subjects: readonly SubjectRoutes[] = [
  {
    of: 'merge_request',
    subject: undefined,
    a: 'a merge request',
    path: '/merge-requests/{project}/{iid}',
    params: z.object({ project, iid: iidOrProject }),
  },
  {
    of: 'issue',
    subject: 'issue',
    a: 'an issue',
    path: '/issues/{project}/{iid}',
    params: z.object({ project, iid: integer }),
  },
]

type SubjectQuery = Partial<Record<'project' | 'iid', number>> & { subject?: 'issue' }

/** The journal's filter, or an error message: an iid without its project would find something else than was meant. */
export function readFilter<T extends object>({ project, iid, subject, ...rest }: SubjectQuery & T) {
  if (iid === undefined) return subject === undefined ? { ...rest, project } : 'An issue needs an iid.'
  return project === undefined
    ? 'A merge request needs both project and iid.'
    : { ...rest, mergeRequest: refOf({ project, iid, subject }) }
}
