// Deliveries and what became of them.
import * as z from 'zod'
import type { Journal } from '../../../journal/journal.ts'
import type { DecisionRecord } from '../../../journal/types.ts'
import { deliveryFilter, deliveryId, pagination, readFilter } from '../inputs.ts'
import { failedJobs, failedJobsResponse, job, scanLimit, summarizeJob } from '../jobs.ts'
import * as schemas from '../response-schemas.ts'
import { getRoute, ok, refuse } from '../route.ts'

const deliveryResponse = z.object({
  delivery: schemas.delivery,
  job: job.optional().describe('The intake job, while the queue stores it: it has the reason of a failure.'),
  failedJobs: failedJobsResponse.shape.items,
  moreFailed: failedJobsResponse.shape.more,
  decisions: z.array(schemas.decision),
})
export type DeliveryResponse = z.output<typeof deliveryResponse>

export const unknownDelivery =
  'There is no delivery with that id: it is wrong, or the delivery is no longer stored (BELLHOP_HISTORY_DAYS).'
/** Few, because each decision has the traces of all rules. */
const mostDecisions = 200

export const deliveryRoutes = [
  getRoute('list_deliveries', '/deliveries', {
    doc: 'Lists deliveries, newest first.',
    input: z.strictObject({ ...deliveryFilter, ...pagination }),
    responses: { 200: schemas.page(schemas.delivery) },
    async handle({ input }, { journal }) {
      const filter = readFilter(input)
      return typeof filter === 'string' ? refuse(400, filter) : ok(await journal.deliveries.list(filter))
    },
  }),
  getRoute('show_delivery', '/deliveries/{id}', {
    doc: `Shows a delivery, the newest ${mostDecisions} decisions that it triggered or that replayed it (oldest first), and the failed jobs of its merge requests (among the newest ${scanLimit} of each queue).`,
    params: z.object({ id: deliveryId }),
    responses: { 200: deliveryResponse },
    errors: { 404: unknownDelivery },
    async handle({ params }, { journal, queues }) {
      const delivery = await journal.deliveries.find(params.id)
      if (delivery === undefined) return undefined
      const intake = await queues.deliveries.get(delivery.id)
      const names = new Set(delivery.mergeRequests.map(nameOf))
      const failed =
        names.size === 0 ? { items: [], more: false } : await failedJobs(queues, (each) => names.has(nameOf(each)))
      return ok<DeliveryResponse>({
        delivery,
        job: intake && summarizeJob('deliveries', intake),
        failedJobs: failed.items,
        moreFailed: failed.more,
        decisions: await decisionsByDelivery(journal, delivery.id),
      })
    },
  }),
  getRoute('show_body', '/deliveries/{id}/body', {
    withoutNames: true,
    doc: 'Shows the body of a delivery, while it is stored. CI variables and what looks like a secret are masked.',
    params: z.object({ id: deliveryId }),
    responses: { 200: z.object({ body: z.unknown() }) },
    errors: {
      404: 'There is no delivery with that id, or its body is no longer stored (BELLHOP_BODY_RETENTION_HOURS).',
    },
    async handle({ params }, { journal }) {
      const body = await journal.deliveries.body(params.id)
      return body === undefined ? undefined : ok({ body: maskedBody(body) })
    },
  }),
]

const nameOf = ({ project, iid }: { project: number; iid: number }) => `${project}!${iid}`

/** Oldest first. */
export async function decisionsByDelivery(journal: Journal, delivery: string): Promise<DecisionRecord[]> {
  const { items } = await journal.decisions.list({ delivery, limit: mostDecisions })
  return items.reverse()
}

const mask = '[masked]'
const secretName = /token|secret|passw|private_?key|api_?key|credential|authorization/i
// Personal, deploy, job, hook signing and runner tokens; credentials in URLs; bearer tokens.
const secretText =
  /\b(?:gl[a-z]{2,6}-[\w.-]{8,}|whsec_[\w+/=]{8,}|(?<=:\/\/)[^\s/@"]+(?=@)|(?<=\bbearer )[\w.~+/=-]+)/gi
const deepest = 100

/** Masks CI variables and whatever has the name or format of a secret. A body that is not JSON becomes masked text. */
export function maskedBody(body: string): unknown {
  try {
    return masked(JSON.parse(body), 0)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return maskedText(body)
  }
}

function masked(value: unknown, depth: number): unknown {
  if (depth > deepest) return mask
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map((each) => masked(each, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'variables' ? maskedVariables(each) : hides(name, each) ? mask : masked(each, depth + 1),
    ]),
  )
}

/** CI variables: a list of keys and values, or an object. */
function maskedVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedVariables)
  if (typeof value !== 'object' || value === null) return mask
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === 'key' ? each : mask]))
}

const hides = (name: string, value: unknown) => secretName.test(name) && value !== null && typeof value !== 'boolean'
const maskedText = (text: string) => text.replaceAll(secretText, mask)
