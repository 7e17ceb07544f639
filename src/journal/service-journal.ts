// The journal of one of several services: lookups by id and lists return only its own records. All other keys carry the service.
import type { Journal } from './types.ts'

export function serviceJournal(journal: Journal, service: string): Journal {
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
          const found = of === 'delivery' ? await journal.delivery(id) : (await journal.decision(id))?.mergeRequest
          if (found?.service === service) own.push(id)
          if (own.length === limit) return own
        }
        if (ids.length < most) return own
      }
    },
    decisions: (filter) => journal.decisions({ ...filter, service }),
  }
}
