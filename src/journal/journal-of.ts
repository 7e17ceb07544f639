// The journal as one of several hosting services sees it: records that are found by an id, or listed, are its own alone. All other keys carry the service.
import type { Journal } from './types.ts'

export function journalOf(journal: Journal, service: string): Journal {
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
    decisions: (filter) => journal.decisions({ ...filter, service }),
  }
}
