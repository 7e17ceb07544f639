// What the played service answers to one read.
import type nock from 'nock'
import { service } from '../client/world.ts'

type Answer = nock.Body | (() => nock.Body | Promise<nock.Body>)

/** It answers one GET of this path, without a query, with 200. */
export const serves = (path: string | RegExp, answer: Answer): nock.Scope =>
  service()
    .get(path)
    .reply(200, answer as nock.Body)

/** The same with any query. */
export const servesList = (path: string | RegExp, answer: Answer): nock.Scope =>
  service()
    .get(path)
    .query(true)
    .reply(200, answer as nock.Body)
