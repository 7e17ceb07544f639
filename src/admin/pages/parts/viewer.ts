// The user of a page, for all its parts.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from '../session/session.ts'

export interface Viewer {
  session: Session
  /** ISO 8601. */
  now: string
}

export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Throws if nobody is logged in. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === undefined) throw new Error('nobody is logged in')
  return viewer
}
