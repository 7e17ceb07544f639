// What API and dashboard share of HTTP: texts that browsers save, and the status of errors.
import type { Response } from 'express'

/** A file of the admin API or the dashboard: its name and media type. */
export interface TextFile {
  name: string
  type: string
}

export function sendFile(response: Response, { name, type }: TextFile, text: string): void {
  response.attachment(name).type(type).send(text)
}

/** The HTTP status for an error of the server: 413 and other 4xx are passed on; everything else is 500. */
export function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}
