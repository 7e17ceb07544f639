// Asks the admin API of a measured bot.
import { adminToken } from './bot.ts'

/** Throws what was answered where it is no success. */
export async function admin<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/admin/api${path}`, { headers: { authorization: `Bearer ${adminToken}` } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Tells it something; throws what was answered where it is no success. */
export async function tell(url: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/admin/api${path}`, { method: 'POST', headers, body: '{}' })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** Whether nothing waits or runs: in the lane of this name, or in any. */
export async function isSettled(url: string, only?: string): Promise<boolean> {
  const { lanes } = await admin<{ lanes: { lane: string; counts: Record<string, number> }[] }>(url, '/queue')
  return lanes
    .filter(({ lane }) => only === undefined || lane === only)
    .every(({ counts }) => ['waiting', 'active', 'delayed'].every((state) => counts[state] === 0))
}
