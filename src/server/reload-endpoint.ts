// The endpoint that reloads the configuration, for those who may: off unless a flag turns it on, as with Prometheus.

export const RELOAD_PATH = '/-/reload'
export const RELOAD_METHODS = ['POST', 'PUT']

/** `reload` is undefined where that is off. It gives a sentence, and throws an error that holds no secret. */
export async function answerReload(
  reload: (() => Promise<string>) | undefined,
): Promise<{ code: number; text: string }> {
  if (!reload) return { code: 403, text: 'Nothing is reloaded over HTTP: --web.enable-lifecycle is off.' }
  try {
    return { code: 200, text: await reload() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return { code: 500, text: `The configuration is refused, and the one before stays:\n${reason}` }
  }
}
