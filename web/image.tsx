import { useAddress } from "host";
import type { ImgHTMLAttributes, ReactElement } from "react";

/** A picture that the API makes. */
export function ApiImage({ src, ...others }: ImgHTMLAttributes<HTMLImageElement>): ReactElement {
    return <img {...others} src={useAddress(src)} />;
}
