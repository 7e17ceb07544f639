// Runs one operation for a token: checks its scope, takes and adds names, and records every write in the audit log.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type * as z from 'zod'
import type { AuditEntry } from '../../journal/types.ts'
import { innerIid, shownRef } from '../../rules/facts/definition/subject-ref.ts'
import type { Json } from '../../rules/types.ts'
import type { AdminToken } from '../access/authenticate.ts'
import type { AdminContext } from '../admin-context.ts'
import { references } from './inputs.ts'
import { type AdminRoute, missingScope, type Reply, type RouteInput, refuse } from './route.ts'

interface RouteRequest {
  params: Record<string, string | string[]>
  input: Record<string, Json>
  by: Pick<AdminToken, 'name' | 'scopes'>
}

/** 403 without the scope; else the route's reply. */
export async function runRoute(
  { context, log }: { context: AdminContext; log: Logger },
  route: AdminRoute,
  { by, ...request }: RouteRequest,
): Promise<Reply> {
  const { name, scopes } = by
  if (!scopes.includes(route.scope)) {
    log.warn({ event: 'admin_refused', by: name, operation: route.name }, 'an admin token lacks the scope')
    return refuse(403, missingScope(name, route.scope))
  }
  const resolved = await withIds({ ...request, by: name, scopes }, route, context)
  if ('status' in resolved) return resolved
  const { given } = resolved
  const reply = await (route.method === 'get' || route.readOnly
    ? route.run(given, context)
    : runRecorded({ context, log }, route, given))
  // Names (titles, paths and addresses) need the scope `read`.
  if (reply.status >= 400 || route.withoutNames === true || !scopes.includes('read')) return reply
  return { ...reply, body: await withNames(reply.body, context) }
}

/** Records the operation before it runs, so that nothing runs unrecorded, and again with its status. */
async function runRecorded(
  { context, log }: { context: AdminContext; log: Logger },
  route: AdminRoute,
  given: Omit<RouteRequest, 'by'> & Pick<RouteInput, 'by' | 'scopes'>,
): Promise<Reply> {
  const { why, ...input } = given.input
  const entry: AuditEntry = {
    id: randomUUID(),
    at: new Date(context.now()).toISOString(),
    by: given.by,
    operation: route.name,
    to: { ...input, ...given.params, ...(route.subject && { subject: route.subject }) },
    why: typeof why === 'string' ? why.slice(0, 500) : undefined,
  }
  await context.journal.audit.save(entry)
  const reply = await route.run(given, context)
  await context.journal.audit.save({ ...entry, status: reply.status })
  log.info({ event: 'admin', ...entry, status: reply.status }, `admin: ${route.name}`)
  return reply
}

type Known = Pick<AdminContext, 'journal'>
interface Ref {
  project: number
  iid?: number
}

/** The body with the known `path`, `title` and `url` next to each `project` (and `iid`); its refs as `shownRef`. */
async function withNames(body: unknown, { journal }: Known): Promise<unknown> {
  const refs = new Map<string, Ref>()
  const keyOf = (ref: Ref) => JSON.stringify([ref.project, ref.iid])
  mapObjects(body, (each) => {
    const ref = refIn(each)
    if (ref !== undefined) refs.set(keyOf(ref), ref)
    return each
  })
  const names = await journal.mergeRequests.names([...refs.values()])
  const named = new Map([...refs.keys()].map((key, at) => [key, names[at]]))
  return mapObjects(body, (each) => {
    const ref = refIn(each)
    return { ...shown(each), ...(ref && named.get(keyOf(ref))) }
  })
}

function refIn({ subject, ...given }: Record<string, unknown>): Ref | undefined {
  const [project, iid] = [idIn(given.project), idIn(given.iid)]
  if (project === undefined) return undefined
  return {
    project,
    iid: iid === undefined ? undefined : innerIid({ iid, subject: subject === 'issue' ? subject : undefined }),
  }
}

/** The audit log has ids of URLs, which are texts. */
const idIn = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined

/** An event may lack a project: then it has no ref. */
const shown = (each: Record<string, unknown>) =>
  typeof each.iid === 'number' ? shownRef({ ...each, iid: each.iid }) : each

function mapObjects(value: unknown, change: (each: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapObjects(each, change)])))
}

const numberedName = /^(.+)([!#])(\d+)$/s
const shortestPrefix = 4
const mostCandidates = 10

type Given = Pick<RouteInput, 'params' | 'input'> & { params: object; input: object }

/**
 * `given` with ids in place of names: a project may be a path, or `group/app!12` or `group/app#12` if an iid fits, and
 * the ids of deliveries, decisions and evaluations may be shortened. Refuses what is unknown or ambiguous.
 */
async function withIds<T extends Given>(
  given: T,
  { params, input, subject }: Pick<AdminRoute, 'params' | 'input' | 'subject'>,
  context: Known,
): Promise<{ given: T } | Reply> {
  const found = { params: { ...given.params }, input: { ...given.input } }
  for (const [fields, shape] of [
    [found.params, params.shape],
    [found.input, input.shape],
  ] as [Record<string, unknown>, z.ZodRawShape][]) {
    for (const [name, schema] of Object.entries(shape)) {
      const to = references.get(schema as z.ZodType)?.to
      const text = fields[name]
      if (to === undefined || typeof text !== 'string' || text === '') continue
      const refused =
        to === 'project'
          ? await resolveProject(fields, { name, text, shape, subject }, context)
          : await resolveId(fields, { name, text, to }, context)
      if (refused !== undefined) return refused
    }
  }
  return { given: { ...given, ...found } }
}

async function resolveProject(
  fields: Record<string, unknown>,
  { name, text, shape, subject: fixed }: { name: string; text: string; shape: object; subject?: 'issue' },
  { journal }: Known,
): Promise<Reply | undefined> {
  const [, path = text, mark, iid] = numberedName.exec(text) ?? []
  if (iid !== undefined) {
    const [subject, one, several] =
      mark === '#' ? (['issue', 'issue', 'issues'] as const) : [undefined, 'merge request', 'merge requests']
    const isChosen = 'subject' in shape
    if (!('iid' in shape)) return refuse(400, `A project is expected, not the ${one} ${text}.`)
    if (isChosen ? (fields.subject ?? subject) !== subject : fixed !== subject)
      return refuse(400, `The ${one} ${text} is ${subject === 'issue' ? 'no merge request' : 'no issue'}.`)
    if (fields.iid !== undefined && String(fields.iid) !== iid)
      return refuse(400, `${text} and the iid ${fields.iid} are two ${several}.`)
    fields.iid = iid
    if (subject !== undefined && isChosen) fields.subject = subject
  }
  fields[name] = path
  if (/^-?\d+$/.test(path)) return undefined
  const project = await journal.projects.at(path)
  if (project === undefined) return refuse(400, `No delivery came from a project ${path}: is that its full path?`)
  fields[name] = project
  return undefined
}

async function resolveId(
  fields: Record<string, unknown>,
  { name, text, to }: { name: string; text: string; to: 'delivery' | 'decision' | 'evaluation' },
  { journal }: Known,
): Promise<Reply | undefined> {
  if (text.length < shortestPrefix || (await isStored(to, text, journal))) return undefined
  const [only, ...others] = await (to === 'delivery'
    ? journal.deliveries.idsFrom(text, mostCandidates)
    : journal.decisions.idsFrom(to, text, mostCandidates))
  if (others.length > 0) return refuse(400, `Several ids begin with ${text}: ${[only, ...others].join(', ')}.`)
  if (only !== undefined) fields[name] = only
  return undefined
}

async function isStored(of: 'delivery' | 'decision' | 'evaluation', id: string, journal: Known['journal']) {
  if (of !== 'evaluation')
    return (await (of === 'delivery' ? journal.deliveries : journal.decisions).find(id)) !== undefined
  return (await journal.decisions.list({ evaluation: id, limit: 1 })).items.length > 0
}
