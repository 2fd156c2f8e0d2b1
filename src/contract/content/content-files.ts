/** The file links in a content, with the names of their fields. */
export const fileLinksOf = (content: object): { path: string; url: string }[] => {
  const {
    mediaUrl,
    thumbnail,
    linkPreview,
    images = [],
    header,
    headerMedia,
    cards = [],
  } = content as {
    mediaUrl?: string;
    thumbnail?: { mediaUrl?: string };
    linkPreview?: { image?: { mediaUrl?: string } };
    images?: { mediaUrl: string }[];
    header?: { mediaUrl?: string };
    headerMedia?: { url?: string };
    cards?: { headerMedia?: { url?: string }; header?: { mediaUrl?: string } }[];
  }; // as the schemas above name them
  const links: Record<string, string | undefined> = {
    mediaUrl,
    "thumbnail.mediaUrl": thumbnail?.mediaUrl,
    "linkPreview.image.mediaUrl": linkPreview?.image?.mediaUrl,
    ...Object.fromEntries(images.map((image, index) => [`images.${index}.mediaUrl`, image.mediaUrl])),
    "header.mediaUrl": header?.mediaUrl,
    "headerMedia.url": headerMedia?.url,
    ...Object.fromEntries(cards.map((card, index) => [`cards.${index}.headerMedia.url`, card.headerMedia?.url])),
    ...Object.fromEntries(cards.map((card, index) => [`cards.${index}.header.mediaUrl`, card.header?.mediaUrl])),
  };
  return Object.entries(links).flatMap(([path, url]) => (url === undefined ? [] : [{ path: `content.${path}`, url }]));
};

/** The handles of files in a content, with the names of their fields. */
export const fileHandlesOf = (content: object): { path: string; handle: string }[] => {
  const {
    mediaHandle,
    thumbnail,
    headerMedia,
    cards = [],
  } = content as {
    mediaHandle?: string;
    thumbnail?: { mediaHandle?: string };
    headerMedia?: { mediaHandle?: string };
    cards?: { headerMedia?: { mediaHandle?: string } }[];
  }; // as the schemas above name them
  const handles: [path: string, handle: string | undefined][] = [
    ["content.mediaHandle", mediaHandle],
    ["content.thumbnail.mediaHandle", thumbnail?.mediaHandle],
    ["content.headerMedia.mediaHandle", headerMedia?.mediaHandle],
    ...cards.map((card, at): [string, string | undefined] => [
      `content.cards.${at}.headerMedia.mediaHandle`,
      card.headerMedia?.mediaHandle,
    ]),
  ];
  return handles.flatMap(([path, handle]) => (handle === undefined ? [] : [{ path, handle }]));
};

type Filed = { mediaHandle?: string; headerMedia?: Filed; cards?: Filed[] };

/** The content with a link in the place of each handle, as `linkOf` gives it. Other handles stay. */
export const withLinks = <Part extends object>(content: Part, linkOf: (handle: string) => string | undefined): Part => {
  const { mediaHandle, headerMedia, cards, ...rest } = content as Filed; // as the schemas above name them
  const mediaUrl = mediaHandle === undefined ? undefined : linkOf(mediaHandle);
  return {
    ...rest,
    ...(mediaUrl === undefined ? (mediaHandle === undefined ? {} : { mediaHandle }) : { mediaUrl }),
    ...(headerMedia ? { headerMedia: withLinks(headerMedia, linkOf) } : {}),
    ...(cards ? { cards: cards.map((card) => withLinks(card, linkOf)) } : {}),
  } as Part;
};
