// The journal of one of several services: lookups by id and lists return only its own records. All other keys carry the service.
import type { Journal } from './types.ts'

export function serviceJournal(journal: Journal, service: string): Journal {
  const serviceOf = {
    delivery: async (id: string) => (await journal.delivery(id))?.service,
    decision: async (id: string) => (await journal.decision(id))?.mergeRequest.service,
    evaluation: async (id: string) =>
      (await journal.decisions({ evaluation: id, limit: 1 })).items[0]?.mergeRequest.service,
  }
  return {
    ...journal,
    async delivery(id) {
      const found = await journal.delivery(id)
      return found?.service === service ? found : undefined
    },
    body: async (id) => ((await journal.delivery(id))?.service === service ? journal.body(id) : undefined),
    deliveries: (filter) => journal.deliveries({ ...filter, service }),
    async decision(id) {
      const found = await journal.decision(id)
      return found?.mergeRequest.service === service ? found : undefined
    },
    async idsFrom(of, prefix, limit) {
      for (let most = limit; ; most *= 10) {
        const ids = await journal.idsFrom(of, prefix, most)
        const own: string[] = []
        for (const id of ids) {
          if ((await serviceOf[of](id)) === service) own.push(id)
          if (own.length === limit) return own
        }
        if (ids.length < most) return own
      }
    },
    decisions: (filter) => journal.decisions({ ...filter, service }),
  }
}
