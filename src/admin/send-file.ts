// Sends a text that browsers save.
import type { Response } from 'express'

/** A file of the admin API or the dashboard: its name and media type. */
export interface TextFile {
  name: string
  type: string
}

export function sendFile(response: Response, { name, type }: TextFile, text: string): void {
  response.attachment(name).type(type).send(text)
}
