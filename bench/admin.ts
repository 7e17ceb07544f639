// Calls the admin API of a measured bot.
import { adminToken } from './bot.ts'

/** Throws for an error response. */
export async function admin<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/admin/api${path}`, { headers: { authorization: `Bearer ${adminToken}` } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Posts; throws for an error response. */
export async function post(url: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/admin/api${path}`, { method: 'POST', headers, body: '{}' })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** Whether no job is waiting, active or delayed, in this queue or in any. */
export async function isSettled(url: string, only?: string): Promise<boolean> {
  const { queues } = await admin<{ queues: { queue: string; counts: Record<string, number> }[] }>(url, '/queue')
  return queues
    .filter(({ queue }) => only === undefined || queue === only)
    .every(({ counts }) => ['waiting', 'active', 'delayed'].every((state) => counts[state] === 0))
}
